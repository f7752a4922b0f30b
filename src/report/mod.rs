//! From a results directory to what people read: derived CSV files, charts and a report.

pub mod charts;
pub mod csv;
pub mod figures;
