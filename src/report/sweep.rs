//! From a sweep's results directory to its report.

use crate::records::turn;
use crate::report::against::Against;
use crate::report::charts::Setting;
use crate::report::topics::TOPICS;
use crate::report::topics::sensitivity::rows::Sensitivity;
use crate::report::written::{Made, Texts, Written};
use crate::report::{Input, MatchInput, ReportError, Source, front, latex, topic};
use std::path::Path;
use ttd_search::positions;

/// The parts of a report that a user asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// The results directory of a match, whose ratings stand beside the speedups.
    pub games: Option<&'a Path>,
    /// The keys of studies in `experiments/published.toml`, whose figures stand beside ours.
    pub against: &'a [String],
    /// The position whose times are drawn one by one, as [`positions::find_id`] understands it. By
    /// default it is the one whose times vary the most.
    pub position: Option<&'a str>,
}

/// Writes every table and chart and the report of a results directory, finished or not. Each file
/// is there whole or as it was before. Files that only an earlier report had are removed. Reports
/// of one directory are made one after the other.
///
/// `beside` says what else stands in it.
///
/// # Errors
/// If the directory's experiment, samples, environment or match cannot be read. Also if no sample
/// is of the position, a study is unknown, or a file cannot be written.
pub fn write(dir: &Path, beside: Beside<'_>) -> Result<Written, ReportError> {
    let (written, all) = make(dir, beside)?;
    all?;
    Ok(written)
}

/// Writes a report as [`write()`] does. It is made, too, if its files cannot be written.
///
/// # Errors
/// The errors of [`write()`], but for files that cannot be written.
pub fn make(dir: &Path, beside: Beside<'_>) -> Result<Made, ReportError> {
    let Beside { games, against, position } = beside;
    let against = Against::of(against).map_err(ReportError::NoStudy)?;
    // Whoever writes last has read last.
    let _turn = turn(dir);
    let input = Input::read(dir)?;
    let position = position.map(|wanted| sampled(dir, &input, wanted)).transpose()?;
    let mut games = games.map(MatchInput::read).transpose()?;
    if let Some(games) = &mut games {
        games.look_like(&input.experiment.names());
    }
    let sensitivity = Sensitivity::read(dir, &input.as_measured())?;
    let of = Source { input, sensitivity, games, against, position };
    let setting = Setting::new(&of.input.figures, &of.input.experiment, of.input.cores);
    let charts =
        topic::draw(topic::sketches(&TOPICS, &of, &setting)).map_err(ReportError::charts)?;
    let report = front::report(&of, &TOPICS, &charts);
    let texts = Texts { report: &report, latex: latex::figures(&of, &report, &charts) };
    let (written, all) =
        Written::new(dir, &texts, &TOPICS, &of, &charts, of.input.left_out.clone())
            .map_err(ReportError::charts)?;
    let left_out_of_games = of.games.map(|games| games.left_out).unwrap_or_default();
    Ok((Written { doubts: front::doubts(&of.input), left_out_of_games, ..written }, all))
}

/// The id of the position that a user means; it must have samples.
fn sampled(dir: &Path, input: &Input, wanted: &str) -> Result<String, ReportError> {
    let found = match input.experiment.whole_set(dir) {
        // A number counts in the whole set, as in `ttd run`. The beginning of an id need only be
        // unique among the chosen positions.
        Ok(whole) if wanted.parse::<usize>().is_ok() => positions::find_id(&whole, wanted),
        Ok(whole) => {
            let chosen = input.experiment.chosen(whole.clone());
            positions::find_id(&chosen, wanted).or_else(|_| positions::find_id(&whole, wanted))
        }
        Err(_) => Ok(wanted.to_owned()),
    };
    let what = match found {
        Ok(id) if input.samples.all().any(|sample| sample.position == id) => return Ok(id),
        Ok(id) => format!("no sample is of `{id}`"),
        Err(what) => what,
    };
    Err(ReportError::NoPosition { dir: dir.to_owned(), what })
}
