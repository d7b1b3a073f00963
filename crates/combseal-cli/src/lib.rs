//! The `combseal` command, as a library: so that tests and fuzz targets reach
//! the reader of vector files and the checker without a process.

pub mod commands;
pub mod files;
pub mod fuzz;
pub mod schemes;
pub mod subject;
pub mod vectors;
