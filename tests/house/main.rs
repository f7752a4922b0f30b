//! The layout of the source: the order of modules, and no circles of imports.

mod imports;
mod order;
mod source;
mod tables;
