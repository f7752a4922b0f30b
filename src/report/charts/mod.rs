//! The charts of a report, each an SVG picture with a caption: the parts that all of them share.
//!
//! | file | what it has |
//! |---|---|
//! | `chart`, `setting` | a drawn chart; the words that all charts have in common |
//! | `canvas`, `picture`, `style` | shapes, pictures, and their looks |
//! | `axes`, `layout` | frames, titles, legends, notes |
//! | `marks`, `bars`, `boxes`, `gantt` | marks that several charts have |

pub(crate) mod axes;
pub(crate) mod bars;
pub(crate) mod boxes;
pub(crate) mod canvas;
pub(crate) mod chart;
pub(crate) mod gantt;
pub(crate) mod layout;
pub(crate) mod marks;
pub(crate) mod picture;
pub(crate) mod setting;
pub(crate) mod style;

pub(crate) use axes::{Axis, Frame};
pub(crate) use boxes::{Bar, Named};
pub(crate) use canvas::{Align, Canvas, text_width, wrapped};
pub use chart::Chart;
pub(crate) use chart::{CHARTS, Sketch};
pub(crate) use layout::{Entry, Key, Sheet};
pub(crate) use marks::{Spot, beside};
pub use picture::{ChartError, Drawing, Picture};
pub(crate) use setting::Setting;
