//! Measuring authenticated encryption in core cycles.
