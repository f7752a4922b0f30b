//! The protocol of chess engines, UCI (R. Huber and S. Meyer-Kahlen, 2000-2006).
//!
//! | module | what it holds |
//! |---|---|
//! | [`program`] | our engine as a UCI program: `ttd uci` |

pub mod program;
