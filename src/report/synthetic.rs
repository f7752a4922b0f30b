//! Results directories made up for tests.
