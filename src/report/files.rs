//! Writing files whole, and removing them.

pub(super) use crate::records::{remove_file as remove, write_whole as write};
