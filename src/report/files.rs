//! Writing files whole, and removing them.

pub(crate) use crate::records::{remove_file as remove, write_whole as write};
