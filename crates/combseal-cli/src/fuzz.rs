//! The fuzz targets' bodies.
