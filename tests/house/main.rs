//! How the source is laid out: the order of modules, and no circles of imports.

mod imports;
mod order;
mod source;
