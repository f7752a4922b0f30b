//! A drawn chart.

use crate::report::charts::canvas::{self, ChartError};

/// The directory of a report's charts.
pub(crate) const CHARTS: &str = "charts";

/// A drawn chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The stem of its file names.
    pub name: String,
    /// The caption: the figure that is shown, its origin, and how to read it.
    pub caption: String,
    /// The picture.
    pub svg: String,
    /// The figures that the picture shows, as CSV with a header row. They are as exact as in the
    /// derived files.
    pub data: String,
}

impl Chart {
    /// The picture as PNG.
    ///
    /// # Errors
    /// If it cannot be rendered.
    pub fn png(&self) -> Result<Vec<u8>, ChartError> {
        canvas::png(&self.svg)
    }
}
