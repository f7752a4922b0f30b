//! Writes a report into its results directory, and removes files that only an earlier report had.

use crate::records::{ResultsError, check_own_directory, remove_file, write_whole};
use crate::report::charts::{CHARTS, Chart};
use crate::report::columns::Table;
use crate::report::registry::{LATEX, PAGE, REPORT, remove_charts};
use crate::report::{LeftOut, Report, ReportError, Topic};
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
    /// Reasons to doubt the figures of a sweep, each in a word or two; the report has more of each.
    pub doubts: Vec<String>,
}

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

    /// Writes the files of a report.
    ///
    /// # Errors
    /// If one cannot be written, or an old one not be removed.
    pub(crate) fn new<S>(
        dir: &Path,
        texts: &Texts<'_>,
        topics: &[&Topic<S>],
        of: &S,
        charts: &[Chart],
        left_out: LeftOut,
    ) -> Result<Written, ReportError> {
        let mut written =
            Written { files: Vec::new(), tables: Vec::new(), left_out, doubts: Vec::new() };
        written.put(dir, REPORT, texts.report.markdown().as_bytes())?;
        written.put(dir, PAGE, texts.report.html().as_bytes())?;
        written.put(dir, LATEX, texts.latex.as_bytes())?;
        for file in topics.iter().flat_map(|topic| topic.files) {
            let Some(table) = (file.table)(of) else {
                remove_file(&dir.join(file.name))?;
                continue;
            };
            written.put(dir, file.name, table.csv().as_bytes())?;
            written.tables.push((file.name.strip_suffix(".csv").unwrap_or(file.name), table));
        }
        for chart in charts {
            let Chart { name, picture, .. } = chart;
            let png = picture
                .png()
                .map_err(|source| ReportError::Chart { name: name.clone(), source })?;
            written.put(dir, &format!("{CHARTS}/{name}.svg"), picture.svg.as_bytes())?;
            written.put(dir, &format!("{CHARTS}/{name}.png"), &png)?;
        }
        let names: Vec<&str> = charts.iter().map(|chart| chart.name.as_str()).collect();
        remove_charts(dir, &[], &names)?;
        Ok(written)
    }

    fn put(&mut self, dir: &Path, name: &str, bytes: &[u8]) -> Result<(), ResultsError> {
        let path = dir.join(name);
        if let Some(inner) = path.parent().filter(|inner| *inner != dir) {
            check_own_directory(inner).map_err(ResultsError::io(inner))?;
        }
        write_whole(&path, bytes)?;
        self.files.push(path);
        Ok(())
    }
}
