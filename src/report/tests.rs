//! Tests of whole reports.
