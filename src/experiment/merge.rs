//! The parts of an experiment, put together as if it had been measured undivided.

use super::journal::{Stock, stock};
use super::keys::Experiment;
use super::parts::{Of, Part};
use super::plan::{misfit, plan};
use super::results::CONTENTS;
use super::rows::{SAMPLES, Sample, SampleKey};
use super::spec::{EXPERIMENT, POSITIONS};
use crate::records::{
    Directory, MergeError, MergePart, MergeTerms, ResultsError, check_target, differences,
    in_order, read_sittings, read_text,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use toml::Table;
use ttd_search::positions::TestPosition;

/// The experiment and the rows of a part.
struct Measured {
    experiment: Experiment,
    /// The positions in the order of their set.
    positions: Vec<TestPosition>,
    stock: Stock,
}

/// Puts parts together in the directory `out`, and returns the number of samples. The files are
/// those of the undivided experiment, byte for byte, but for the sittings and the log.
///
/// # Errors
/// If the directories are not the parts of one experiment, or cannot be read. Also if `out` cannot
/// be written, or holds anything else than an earlier merge of it.
pub fn merge(dirs: &[PathBuf], out: &Path, terms: MergeTerms) -> Result<usize, MergeError> {
    check_target(dirs, out, SAMPLES)?;
    let mut parts = dirs
        .iter()
        .map(|dir| read(dir).map_err(MergeError::of_part))
        .collect::<Result<Vec<_>, _>>()?;
    let Some(cores) = parts.first().map(|part| part.of.experiment.cores) else { return Ok(0) };
    in_order(&mut parts, (terms, cores), |a, b| {
        differ(&a.experiment, &b.experiment).or_else(|| other_position(&a.positions, &b.positions))
    })?;
    let first = &parts[0];
    let whole = Experiment { shard: None, ..first.of.experiment.clone() };
    if out.join(EXPERIMENT).exists() {
        let there = Experiment::read(out)?;
        if there.shard.is_some() || differ(&there, &whole).is_some() {
            return Err(MergeError::Taken { dir: out.to_owned() });
        }
    }
    let mut directory = Directory::open(out, &CONTENTS)?;
    directory.put_no_rows()?;
    let epd = read_text(&first.dir.join(POSITIONS)).ok();
    directory.describe(&whole.to_toml(), epd.as_deref())?;
    directory.put_sittings(parts.iter().flat_map(|part| part.sittings.clone()).collect())?;
    directory.put_logs(parts.iter().map(|part| part.dir.as_path()))?;
    let stocks: Vec<&Stock> = parts.iter().map(|part| &part.of.stock).collect();
    let mut samples: Vec<&Sample> = stocks.iter().flat_map(|stock| &stock.samples.list).collect();
    samples.sort_by_key(|sample| sample.order);
    let orders: HashMap<SampleKey, u32> = samples.iter().map(|s| (s.key(), s.order)).collect();
    let put = (&directory, &stocks[..], &orders);
    put_parts(put, |stock| Some(&stock.parts.iterations.list))?;
    put_parts(put, |stock| stock.parts.workers.as_ref().map(|rows| &rows.list))?;
    put_parts(put, |stock| stock.parts.depths.as_ref().map(|rows| &rows.list))?;
    put_parts(put, |stock| stock.parts.told.as_ref().map(|rows| &rows.list))?;
    directory.put_rows(samples.iter().copied())?;
    directory.sync()?;
    Ok(samples.len())
}

/// Writes a file with parts of samples, in the order of the samples.
fn put_parts<P: Part>(
    (directory, stocks, orders): (&Directory, &[&Stock], &HashMap<SampleKey, u32>),
    rows: impl for<'s> Fn(&'s Stock) -> Option<&'s Vec<Of<P>>>,
) -> Result<(), MergeError> {
    if stocks.iter().all(|stock| rows(stock).is_none()) {
        return Ok(());
    }
    let mut all: Vec<&Of<P>> = stocks.iter().filter_map(|stock| rows(stock)).flatten().collect();
    // A sample of which only parts were written is none.
    all.retain(|row| orders.contains_key(&row.sample));
    all.sort_by_key(|row| orders[&row.sample]);
    Ok(directory.put_rows(all.into_iter())?)
}

/// Reads a part. Nothing is written.
fn read(dir: &Path) -> Result<MergePart<Measured>, MergeError> {
    let experiment = Experiment::read(dir)?;
    let Some(shard) = experiment.shard else {
        return Err(MergeError::NoPart { dir: dir.to_owned(), file: EXPERIMENT });
    };
    let positions = experiment.position_set(dir).map_err(ResultsError::from)?;
    let ids: Vec<&str> = positions.iter().map(|position| position.id.as_str()).collect();
    let planned = plan(&experiment, &ids);
    let stock = stock(dir, &experiment)?;
    if let Some((at, why)) = misfit(&stock.samples.list, &planned, &experiment, &ids) {
        let (dir, line) = (dir.to_owned(), stock.samples.lines[at]);
        return Err(ResultsError::Plan { dir, line, why, contents: &CONTENTS }.into());
    }
    Ok(MergePart {
        dir: dir.to_owned(),
        shard,
        sittings: read_sittings(dir)?,
        rows: (stock.samples.list.len(), planned.len()),
        of: Measured { experiment, positions, stock },
    })
}

/// A position of one part that is another one in the other part, in words.
fn other_position(one: &[TestPosition], other: &[TestPosition]) -> Option<String> {
    let is_other = |(a, b): &(&TestPosition, &TestPosition)| (&a.id, &a.board) != (&b.id, &b.board);
    let (position, _) = one.iter().zip(other).find(is_other)?;
    Some(format!("positions: {} is another board", position.id))
}

/// The differences of two experiments, if they are not parts of one. Names and published figures do
/// not count.
fn differ(one: &Experiment, other: &Experiment) -> Option<String> {
    let plain = |experiment: &Experiment| Experiment {
        name: String::new(),
        published: None,
        shard: None,
        ..experiment.clone()
    };
    let (one, other) = (plain(one), plain(other));
    let table = |experiment: &Experiment| Table::try_from(experiment).unwrap_or_default();
    (one != other).then(|| differences(&table(&one), &table(&other)))
}
