//! A drawn chart.

use crate::report::charts::picture::Picture;

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
    pub picture: Picture,
    /// The figures that the picture shows, as CSV with a header row. They are as exact as in the
    /// derived files.
    pub data: String,
}
