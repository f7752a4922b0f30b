//! Writes a report into its results directory, and removes files that only an earlier report had.

use crate::records::{ResultsError, check_own_directory, remove_file, write_whole};
use crate::report::charts::{CHARTS, Chart, ChartError};
use crate::report::columns::Table;
use crate::report::registry::{LATEX, PAGE, REPORT, remove_charts};
use crate::report::{LeftOut, Report, Topic};
use std::path::{Path, PathBuf};

/// The files that were written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Every file: the report, the report as a page, then the others.
    pub files: Vec<PathBuf>,
    /// The tables among them, each with its name, which is that of its file without extension.
    pub tables: Vec<(&'static str, Table)>,
    /// The parts of the results that could not be used.
    pub left_out: LeftOut,
    /// The parts of a match beside a sweep that could not be used.
    pub left_out_of_games: LeftOut,
    /// Reasons to doubt the figures of a sweep, each in a word or two; the report has more of each.
    pub doubts: Vec<String>,
}

/// A report, and whether its files could be written.
pub type Made = (Written, Result<(), ResultsError>);

/// The texts of the files that every report has.
pub(crate) struct Texts<'t> {
    /// The report.
    pub(crate) report: &'t Report<'t>,
    /// `figures.tex`.
    pub(crate) latex: String,
}

impl Written {
    /// The report: as a text, and as a page.
    pub fn reports(&self) -> &[PathBuf] {
        &self.files[..2]
    }

    /// The table that says the most: a summary or standings.
    pub fn main_table(&self) -> Option<&Table> {
        self.table("summary").or_else(|| self.table("standings"))
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|(known, _)| *known == name).map(|(_, table)| table)
    }

    /// Writes the files of a report. The second value is the error if one cannot be written, or an
    /// old one not be removed: then no file is told.
    ///
    /// # Errors
    /// If a chart cannot be drawn.
    pub(crate) fn new<S>(
        dir: &Path,
        texts: &Texts<'_>,
        topics: &[&Topic<S>],
        of: &S,
        charts: &[Chart],
        left_out: LeftOut,
    ) -> Result<Made, ChartError> {
        let (mut tables, mut absent) = (Vec::new(), Vec::new());
        for file in topics.iter().flat_map(|topic| topic.files) {
            match (file.table)(of) {
                Some(table) => {
                    tables.push((file.name.strip_suffix(".csv").unwrap_or(file.name), table));
                }
                None => absent.push(file.name),
            }
        }
        let mut pictures = Vec::new();
        for Chart { name, picture, .. } in charts {
            pictures.push((name.as_str(), picture.svg.as_str(), picture.png()?));
        }
        let put = put_all(dir, texts, (&tables, &absent), &pictures);
        let (files, all) = put.map_or_else(|why| (Vec::new(), Err(why)), |files| (files, Ok(())));
        let (left_out_of_games, doubts) = (LeftOut::default(), Vec::new());
        Ok((Written { files, tables, left_out, left_out_of_games, doubts }, all))
    }
}

/// Writes all files, and removes the tables of an earlier report that are `absent` from this one.
fn put_all(
    dir: &Path,
    texts: &Texts<'_>,
    (tables, absent): (&[(&str, Table)], &[&str]),
    pictures: &[(&str, &str, Vec<u8>)],
) -> Result<Vec<PathBuf>, ResultsError> {
    let mut files = Vec::new();
    let mut put = |name: &str, bytes: &[u8]| {
        files.push(dir.join(name));
        put(dir, &dir.join(name), bytes)
    };
    put(REPORT, texts.report.markdown().as_bytes())?;
    put(PAGE, texts.report.html().as_bytes())?;
    put(LATEX, texts.latex.as_bytes())?;
    for (name, table) in tables {
        put(&format!("{name}.csv"), table.csv().as_bytes())?;
    }
    for (name, svg, png) in pictures {
        put(&format!("{CHARTS}/{name}.svg"), svg.as_bytes())?;
        put(&format!("{CHARTS}/{name}.png"), png)?;
    }
    for name in absent {
        remove_file(&dir.join(name))?;
    }
    let names: Vec<&str> = pictures.iter().map(|(name, ..)| *name).collect();
    remove_charts(dir, &[], &names)?;
    Ok(files)
}

fn put(dir: &Path, path: &Path, bytes: &[u8]) -> Result<(), ResultsError> {
    if let Some(inner) = path.parent().filter(|inner| *inner != dir) {
        check_own_directory(inner).map_err(ResultsError::io(inner))?;
    }
    write_whole(path, bytes)
}
