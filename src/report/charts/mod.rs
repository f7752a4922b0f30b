//! The charts of a report, each an SVG picture with a caption: the parts that all of them share.
//!
//! | file | what it has |
//! |---|---|
//! | `chart`, `setting`, `data` | a drawn chart, what its words and its figures have in common with others |
//! | `canvas`, `picture`, `style` | shapes, pictures, and their looks |
//! | `axes`, `layout` | frames, titles, legends, notes |
//! | `boxes`, `dots`, `gantt` | marks that several charts have |

pub(crate) mod axes;
pub(crate) mod boxes;
pub(crate) mod canvas;
pub(crate) mod chart;
pub(crate) mod dots;
pub(crate) mod gantt;
pub(crate) mod layout;
pub(crate) mod picture;
pub(crate) mod setting;
pub(crate) mod style;

pub(crate) use axes::{Axis, Frame};
pub(crate) use boxes::Bar;
pub(crate) use canvas::{Align, Canvas, Point, cut_to, text_width};
pub(crate) use chart::CHARTS;
pub use chart::Chart;
pub(crate) use layout::{Entry, Key, Sheet};
pub use picture::{ChartError, Picture};
pub(crate) use setting::Setting;
