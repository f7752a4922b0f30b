//! A drawn chart.

use crate::report::charts::picture::{ChartError, Drawing, Picture};

/// The directory of a report's charts.
pub(crate) const CHARTS: &str = "charts";

/// A chart, drawn or to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart<P = Picture> {
    /// The stem of its file names.
    pub name: String,
    /// The caption: the figure that is shown, its origin, and how to read it.
    pub caption: String,
    /// The picture.
    pub picture: P,
    /// The figures that the picture shows, as CSV with a header row. They are as exact as in the
    /// derived files.
    pub data: String,
}

/// A chart before it is drawn.
pub(crate) type Sketch = Chart<Drawing>;

impl Sketch {
    /// Draws the chart.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub(crate) fn drawn(self) -> Result<Chart, ChartError> {
        let Chart { name, caption, picture, data } = self;
        Ok(Chart { name, caption, picture: picture.drawn()?, data })
    }
}
