//! The hosts that measured the parts of an experiment or of a match, or on which ranks were.

use crate::records::{Provenance, Shard, Sitting, parts_of};
use crate::report::numbers::{BLANK, fixed, list, percent, seconds};
use std::collections::{BTreeMap, BTreeSet};
use ttd_stats::summary::median;

/// Hosts whose fixed searches differ by more than this share are told of.
const ALIKE: f64 = 0.05;
/// The caption of the table.
pub(crate) const CAPTION: &str = "The hosts. A fixed search of one thread is timed at the begin and \
    at the end of each part on real cores; its median stands here. Ranks of one search were on all \
    hosts of a row.";
/// The most parts that are named.
const MOST_NAMED: usize = 10;

/// A host, as its sittings tell of it.
#[derive(Default)]
struct Host<'a> {
    processors: BTreeSet<&'a str>,
    parts: BTreeSet<Shard>,
    sittings: usize,
    jobs: BTreeSet<&'a str>,
    /// The times of the fixed search, in seconds.
    probes: Vec<f64>,
}

/// The hosts by name, if any sitting is of a part or of ranks.
fn hosts(sittings: &[Sitting]) -> BTreeMap<String, Host<'_>> {
    let mut hosts: BTreeMap<String, Host<'_>> = BTreeMap::new();
    let is_plain = |place: &Provenance| place.shard.is_none() && place.hosts.is_empty();
    if sittings.iter().all(|sitting| is_plain(&sitting.place)) {
        return hosts;
    }
    for sitting in sittings {
        let place = &sitting.place;
        let host = hosts.entry(place.hosts()).or_default();
        host.processors.insert(&sitting.cpu);
        host.parts.extend(place.shard);
        host.sittings += 1;
        // The task within a job is that of the part.
        let job = place.job.rsplit_once(' ').filter(|(before, _)| before.contains(' '));
        host.jobs.insert(job.map_or(place.job.as_str(), |(job, _)| job));
        host.probes.extend(sitting.before.probe_s);
        host.probes.extend(sitting.after.as_ref().and_then(|after| after.probe_s));
    }
    hosts
}

/// The median time of the fixed search on a host.
fn probe(host: &Host<'_>) -> Option<f64> {
    median(&host.probes)
}

/// The least of these times.
fn fastest(hosts: &BTreeMap<String, Host<'_>>) -> Option<f64> {
    hosts.values().filter_map(probe).min_by(f64::total_cmp)
}

/// The parts that more than one host measured.
fn moved(hosts: &BTreeMap<String, Host<'_>>) -> Vec<Shard> {
    let all: BTreeSet<Shard> = hosts.values().flat_map(|host| &host.parts).copied().collect();
    let on = |part: &Shard| hosts.values().filter(|host| host.parts.contains(part)).count();
    all.into_iter().filter(|part| on(part) > 1).collect()
}

/// The table of the hosts; empty if no sitting is of a part or of ranks.
pub(crate) fn table(sittings: &[Sitting]) -> Vec<Vec<String>> {
    let hosts = hosts(sittings);
    if hosts.is_empty() {
        return Vec::new();
    }
    let header =
        ["host", "processor", "parts", "sittings", "jobs", "fixed search, s", "to the fastest"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let fastest = fastest(&hosts);
    for (name, host) in &hosts {
        let probe = probe(host);
        let jobs = list(host.jobs.iter().filter(|job| !job.is_empty()));
        rows.push(vec![
            if name.is_empty() { BLANK.to_owned() } else { name.clone() },
            list(&host.processors),
            host.parts.len().to_string(),
            host.sittings.to_string(),
            if jobs.is_empty() { BLANK.to_owned() } else { jobs },
            probe.map_or_else(|| BLANK.to_owned(), seconds),
            probe.zip(fastest).map_or_else(|| BLANK.to_owned(), |(of, least)| fixed(of / least, 3)),
        ]);
    }
    rows
}

/// Notes on parts that are missing, or that moved to another host. Notes also on a directory that
/// is a part itself, and on hosts that differ. `what` has parts; `has_ratios` says that its figures
/// are ratios of real times, both of one part.
pub(crate) fn notes(
    sittings: &[Sitting],
    own: Option<Shard>,
    (what, has_ratios): (&str, bool),
) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(shard) = own {
        notes.push(format!(
            "**A part.** This directory has part {shard} of the {what}. `ttd merge` puts the parts \
             together."
        ));
    } else if let Some((of, missing)) =
        parts_of(sittings).filter(|(_, missing)| !missing.is_empty())
    {
        let named = list(missing.iter().take(MOST_NAMED));
        let more = if missing.len() > MOST_NAMED { " and others" } else { "" };
        notes.push(format!(
            "**Parts are missing.** {} of {of} parts of the {what} are missing: {named}{more}.",
            missing.len()
        ));
    }
    let hosts = hosts(sittings);
    let moved = moved(&hosts);
    if has_ratios && !moved.is_empty() {
        let named = list(moved.iter().take(MOST_NAMED));
        let more = if moved.len() > MOST_NAMED { " and others" } else { "" };
        notes.push(format!(
            "**Parts on several hosts.** Part {named}{more} went on on another host. Times of one \
             position are of several machines there, and their ratios are no speedups of one."
        ));
    }
    let slowest = hosts.values().filter_map(probe).max_by(f64::total_cmp);
    if let Some((slowest, fastest)) = slowest.zip(fastest(&hosts))
        && slowest > fastest * (1.0 + ALIKE)
    {
        notes.push(format!(
            "**Hosts differ.** A fixed search of one thread takes {} more time on the slowest host \
             than on the fastest. Speedups are of one host each, and can be compared; times of \
             different positions cannot.",
            percent(slowest / fastest - 1.0)
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sitting(host: &str, number: usize, probes: [f64; 2]) -> Sitting {
        let mut sitting = Sitting::begin(0, &[]);
        let (host, job) = (host.to_owned(), format!("slurm 7 {number}"));
        let (hosts, shard) = (Vec::new(), Some(Shard { of: 3, number }));
        sitting.place = Provenance { host, hosts, shard, job };
        sitting.before.probe_s = Some(probes[0]);
        let mut after = sitting.before.clone();
        after.probe_s = Some(probes[1]);
        sitting.after = Some(after);
        sitting
    }

    #[test]
    fn hosts_are_compared_by_their_fixed_searches() {
        let sittings = [
            sitting("a", 1, [0.2, 0.21]),
            sitting("b", 2, [0.22, 0.22]),
            sitting("a", 1, [0.2, 0.19]),
        ];
        let table = table(&sittings);
        assert_eq!(table.len(), 3);
        assert_eq!(table[1][2..], ["1", "2", "slurm 7", "0.200", "1.000"].map(str::to_owned));
        assert_eq!(table[2][2..], ["1", "1", "slurm 7", "0.220", "1.100"].map(str::to_owned));
        let notes = |sittings: &[Sitting]| notes(sittings, None, ("experiment", true));
        let moved = sitting("b", 1, [0.22, 0.22]);
        let moved = notes(&[sittings[0].clone(), moved])[1].clone();
        assert!(moved.contains("Part 1/3 went on on another host."), "{moved}");
        let notes = notes(&sittings);
        assert!(notes[0].contains("1 of 3 parts of the experiment are missing: 3/3."), "{notes:?}");
        assert!(notes[1].contains("takes 10% more time"), "{notes:?}");
    }

    #[test]
    fn ranks_were_on_all_hosts_of_a_row() {
        let mut sitting = Sitting::begin(0, &[]);
        let hosts = ["b", "a"].map(str::to_owned).to_vec();
        sitting.place = Provenance { host: "b".to_owned(), hosts, ..Provenance::default() };
        let sittings = [sitting];
        let table = table(&sittings);
        assert_eq!((table.len(), table[1][0].as_str(), table[1][3].as_str()), (2, "b, a", "1"));
        assert!(notes(&sittings, None, ("experiment", true)).is_empty());
    }

    #[test]
    fn a_directory_that_was_never_divided_has_no_hosts() {
        let plain = [Sitting::begin(0, &[])];
        assert!(table(&plain).is_empty() && notes(&plain, None, ("match", false)).is_empty());
        let own = Some(Shard { of: 2, number: 1 });
        assert!(
            notes(&plain, own, ("match", false))[0]
                .starts_with("**A part.** This directory has part 1/2")
        );
    }
}
