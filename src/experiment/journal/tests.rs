//! Journals that are written, read back, cut short and repaired.

use super::*;
use crate::experiment::{DepthRow, IterationRow, SampleStatus, WorkerRow};
use crate::records::csv_line;
use std::fs;
use tempfile::TempDir;
use ttd_search::cores::{Time, WorkSpan};
use ttd_search::search::{Counters, LookUps};

fn open(dir: &Path, experiment: &Experiment) -> Result<(Journal, Found), JournalError> {
    Read::of(dir, experiment)?.open()
}

fn sample(order: u32) -> Sample {
    Sample {
        round: 1,
        order,
        searcher: "ybwc".to_owned(),
        threads: 2,
        position: format!("Morphy-Loewenthal, \"London\" {order}"),
        depth: 3,
        status: SampleStatus::Ok,
        time: Time::from_ps(1_234_567_000),
        nodes: 1000,
        score: -31,
        best_move: "e2e4".to_owned(),
        counters: Some(Counters {
            nodes: 1000,
            qnodes: 400,
            doubled_nodes: 20,
            table: LookUps { probes: 27, hits: 24, cutoffs: 21 },
            ..Counters::default()
        }),
        additions: 1,
        table_fill: 0.125,
        peak_mib: 300,
        states_alone: None,
        work_span: Some(WorkSpan {
            work: Time::from_ps(2_000_000_000),
            critical_path: Time::from_ps(1_000_000_000),
        }),
    }
}

/// Parts of a sample: three iterations, two workers and three depths.
fn parts() -> Parts {
    let iteration = |depth| IterationRow {
        depth,
        worker: 1,
        time: Time::from_ps(1_234_567_000 - u64::from(3 - depth) * 1_000_000),
        nodes: u64::from(depth),
        score: (depth > 1).then_some(-7),
        best_move: (depth > 1).then(|| "e2e4".to_owned()),
    };
    let worker = |worker| {
        let doubled_nodes = 10 * worker as u64;
        WorkerRow {
            worker,
            counters: Counters { nodes: 500, doubled_nodes, ..Counters::default() },
        }
    };
    let depth = |depth| {
        let look_ups = LookUps { probes: 9, hits: 8, cutoffs: 7 };
        DepthRow { depth, look_ups }
    };
    Parts {
        iterations: (1..=3).map(iteration).collect(),
        workers: (0..2).map(worker).collect(),
        depths: [0, 3, 31].map(depth).to_vec(),
        told: Vec::new(),
    }
}

fn with_detail() -> Experiment {
    Experiment { detail: true, ..Experiment::default() }
}

/// A directory with the samples 0 and 1, in detail.
fn two_samples() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (mut journal, found) = open(dir.path(), &with_detail()).expect("a new journal");
    assert!(found.samples.is_empty() && found.repairs.is_empty());
    for order in 0..2 {
        journal.append(&sample(order), parts()).expect("appended");
    }
    dir
}

fn read<P: Part>(dir: &TempDir) -> Vec<Of<P>> {
    read_parts(dir.path()).expect("parts")
}

/// The bytes of a file with parts, and the length of one sample's part of it.
fn written<P: Part>(dir: &TempDir, parts: Vec<P>) -> (Vec<u8>, usize) {
    let of_one = rows_of(&sample(1).key(), parts).map(|fields| csv_line(&fields).len()).sum();
    (fs::read(dir.path().join(P::FILE)).expect("parts"), of_one)
}

#[test]
fn reads_what_it_wrote() {
    fn check<P: Part + Clone + PartialEq + std::fmt::Debug>(dir: &TempDir, parts: &[P]) {
        let of = |order| {
            let key = sample(order).key();
            parts.iter().map(move |part| Of { sample: key.clone(), part: part.clone() })
        };
        assert_eq!(read::<P>(dir), of(0).chain(of(1)).collect::<Vec<_>>());
    }
    let dir = two_samples();
    assert_eq!(read_samples(dir.path()).expect("samples"), [sample(0), sample(1)]);
    let Parts { iterations, workers, depths, .. } = parts();
    check(&dir, &iterations);
    check(&dir, &workers);
    check(&dir, &depths);
}

#[test]
fn without_detail_there_are_no_files_of_it() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (mut journal, _) = open(dir.path(), &Experiment::default()).expect("a new journal");
    journal.append(&sample(0), parts()).expect("appended");
    assert_eq!(read::<IterationRow>(&dir).len(), 3);
    assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 2);
    assert!(read::<WorkerRow>(&dir).is_empty() && read::<DepthRow>(&dir).is_empty());
}

#[test]
fn an_older_file_is_read_and_gone_on_with() {
    let without_work = Sample { work_span: None, ..sample(1) };
    let counters = without_work.counters.map(|of| Counters { doubled_nodes: 0, ..of });
    let without_doubled = Sample { counters, additions: 0, ..without_work.clone() };
    let layout = Sample::layout();
    let since = |added: u8| layout.iter().filter(|column| column.added >= added).count();
    let names = Sample::columns();
    for (lacks, expected) in
        [(since(2), Some(without_work)), (since(1), Some(without_doubled)), (since(1) + 1, None)]
    {
        let dir = two_samples();
        let path = dir.path().join(SAMPLES);
        let text = fs::read_to_string(&path).expect("samples");
        let without = |line: &str| {
            let before = line.rsplitn(lacks + 1, ',').last();
            before.map(|before| before.to_owned() + "\n")
        };
        fs::write(&path, text.lines().filter_map(without).collect::<String>()).expect("written");
        assert_eq!(read_samples(dir.path()).ok().map(|mut all| all.remove(1)), expected);
        let opened = open(dir.path(), &with_detail());
        let Some(expected) = expected else {
            let refused = opened.expect_err("a header that no program wrote").to_string();
            // The first wrong column is named.
            assert!(refused.contains(&names[names.len() - lacks]), "{refused}");
            continue;
        };
        // A new row has the columns of the file.
        opened.expect("an older file").0.append(&sample(2), parts()).expect("appended");
        let all = read_samples(dir.path()).expect("samples");
        assert_eq!(all[2], Sample { order: 2, position: sample(2).position, ..expected });
    }
}

#[test]
fn work_without_a_critical_path_is_no_sample() {
    let dir = two_samples();
    let path = dir.path().join(SAMPLES);
    let text = fs::read_to_string(&path).expect("samples");
    fs::write(&path, text.replacen(",0.001000000", ",", 1)).expect("written");
    let error = read_samples(dir.path()).expect_err("half of it").to_string();
    assert!(error.contains("samples.csv:2: column `critical_path_s` holds ``"), "{error}");
}

#[test]
fn a_torn_sample_is_cut_off_at_every_byte_with_its_parts() {
    let dir = two_samples();
    let path = dir.path().join(SAMPLES);
    let whole = fs::read(&path).expect("samples");
    let row = csv_line(&sample(1).values()).len();
    for lost in 1..=row {
        let dir = two_samples();
        let path = dir.path().join(SAMPLES);
        fs::write(&path, &whole[..whole.len() - lost]).expect("torn");
        let (mut journal, found) = open(dir.path(), &with_detail()).expect("repaired");
        assert_eq!(found.samples, [sample(0)], "{lost} bytes lost");
        assert_eq!(found.repairs.len(), if lost == row { 3 } else { 4 });
        assert_eq!(read::<IterationRow>(&dir).len(), 3);
        assert_eq!(read::<WorkerRow>(&dir).len(), 2);
        assert_eq!(read::<DepthRow>(&dir).len(), 3);
        journal.append(&sample(1), parts()).expect("appended");
        assert_eq!(fs::read(&path).expect("samples"), whole);
    }
}

/// The run was killed while it wrote the parts of sample 1, before the row of the sample.
#[test]
fn torn_parts_are_cut_off_at_every_byte() {
    fn check<P: Part>(parts_of_one: Vec<P>) {
        let (whole, of_one) = written(&two_samples(), parts_of_one);
        for lost in 0..=of_one {
            let dir = two_samples();
            let samples = fs::read(dir.path().join(SAMPLES)).expect("samples");
            let row = csv_line(&sample(1).values()).len();
            fs::write(dir.path().join(SAMPLES), &samples[..samples.len() - row]).expect("written");
            let path = dir.path().join(P::FILE);
            fs::write(&path, &whole[..whole.len() - lost]).expect("torn");
            let (mut journal, _) = open(dir.path(), &with_detail()).expect("repaired");
            let kept = fs::read(&path).expect("parts");
            assert_eq!(kept, whole[..whole.len() - of_one], "{lost} bytes lost");
            journal.append(&sample(1), parts()).expect("appended");
            assert_eq!(fs::read(&path).expect("parts"), whole);
        }
    }
    let Parts { iterations, workers, depths, .. } = parts();
    check(iterations);
    check(workers);
    check(depths);
}

#[test]
fn a_torn_header_is_written_anew() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join(SAMPLES), "round,ord").expect("written");
    let (_, found) = open(dir.path(), &Experiment::default()).expect("repaired");
    assert_eq!(found.repairs.len(), 1);
    assert!(read_samples(dir.path()).expect("samples").is_empty());
}

#[test]
fn a_wrong_row_is_named() {
    for (file, from, to, message) in [
        (
            SAMPLES,
            ",ok,",
            ",fine,",
            "samples.csv:2: column `status` holds `fine`, ok, censored or failed expected. Mend it",
        ),
        (
            WorkerRow::FILE,
            ",0,500,",
            ",0,many,",
            "workers.csv:2: column `nodes` holds `many`, a possible whole number expected. Mend",
        ),
        (
            DepthRow::FILE,
            ",31,9,",
            ",32,9,",
            "depths.csv:4: column `depth` holds `32`, a possible whole number expected. Mend it, or cut this file",
        ),
        (DepthRow::FILE, ",8,7", ",8", "depths.csv:2: 7 fields where 8 were expected"),
    ] {
        let dir = two_samples();
        let path = dir.path().join(file);
        let text = fs::read_to_string(&path).expect("rows");
        assert!(text.contains(from));
        fs::write(&path, text.replacen(from, to, 1)).expect("written");
        let error = open(dir.path(), &with_detail()).expect_err("a wrong row").to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// The end of a file of parts is lost, and `samples.csv` is whole.
#[test]
fn samples_that_lost_parts_are_taken_again() {
    fn check<P: Part>(parts_of_one: Vec<P>, rows: usize) {
        let (whole, of_one) = written(&two_samples(), parts_of_one);
        let samples = fs::read(two_samples().path().join(SAMPLES)).expect("samples");
        for lost in 1..whole.len() {
            let dir = two_samples();
            let path = dir.path().join(P::FILE);
            fs::write(&path, &whole[..whole.len() - lost]).expect("torn");
            let (mut journal, found) = open(dir.path(), &with_detail()).expect("repaired");
            let kept = usize::from(lost <= of_one);
            assert_eq!(found.samples.len(), kept, "{lost} bytes of {}", P::FILE);
            let told = format!("{}: rows are lost, from sample {kept} (ybwc x 2, ", P::FILE);
            let header = whole.len() - lost < whole.len() - 2 * of_one;
            assert!(header || found.repairs[0].starts_with(&told), "{:?}", found.repairs);
            assert_eq!(read::<P>(&dir).len(), kept * rows);
            for order in kept..2 {
                journal.append(&sample(order as u32), parts()).expect("appended");
            }
            journal.sync().expect("on the disk");
            assert_eq!(fs::read(&path).expect("parts"), whole);
            assert_eq!(fs::read(dir.path().join(SAMPLES)).expect("samples"), samples);
        }
    }
    let Parts { iterations, workers, depths, .. } = parts();
    check(iterations, 3);
    check(workers, 2);
    check(depths, 3);
}

#[test]
fn rows_lost_in_the_middle_or_whole_files_are_refused() {
    let dir = two_samples();
    let path = dir.path().join(IterationRow::FILE);
    let text = fs::read_to_string(&path).expect("rows");
    let without = |at: usize| -> String {
        let lines = text.lines().enumerate().filter(|(line, _)| *line != at);
        lines.flat_map(|(_, line)| [line, "\n"]).collect()
    };
    fs::write(&path, without(3)).expect("written");
    let error = open(dir.path(), &with_detail()).expect_err("a row is lost").to_string();
    assert!(error.contains("rows of sample 0 (ybwc x 2, ") && error.contains("Mend it"), "{error}");
    fs::remove_file(&path).expect("removed");
    let error = open(dir.path(), &with_detail()).expect_err("the file is lost").to_string();
    assert!(error.contains("iterations.csv: it is missing"), "{error}");
    assert_eq!(read_samples(dir.path()).expect("samples").len(), 2, "nothing is cut off");
}

#[test]
fn iterations_that_no_sample_can_have_are_refused() {
    let dir = two_samples();
    let path = dir.path().join(IterationRow::FILE);
    let text = fs::read_to_string(&path).expect("rows");
    // The second row of the first sample: depth, worker and time.
    let row = ",2,1,0.001233567,2,";
    let refused = |to: &str, words: &str| {
        fs::write(&path, text.replacen(row, to, 1)).expect("written");
        let why = format!("iterations.csv:3: {words}");
        let error = open(dir.path(), &with_detail()).expect_err("refused").to_string();
        assert!(error.contains(&why) && error.contains("Mend it"), "{to}: {error}");
        let error = stock(dir.path(), &with_detail()).map(|_| ()).expect_err("refused");
        assert!(error.to_string().contains(&why), "{to}: {error}");
    };
    refused(",4,1,0.001233567,2,", "column `depth` holds `4`, 1 to 3 expected");
    refused(",0,1,0.001233567,2,", "column `depth` holds `0`, 1 to 3 expected");
    refused(",1,1,0.001233567,2,", "a second row of the same sample and depth");
    refused(",2,2,0.001233567,2,", "column `worker` holds `2`, 0 to 1 expected");
    refused(
        ",2,1,0.000000000,2,",
        "column `time_s` holds `0.000000000`: a depth before it took more",
    );
    refused(",2,1,0.001000000,2,", "column `time_s` holds `0.001000000`: a depth before it");
    refused(",2,1,9.000000000,2,", "column `time_s` holds `9.000000000`: its sample took less");
    refused(",3,1,0.001233567,2,", "column `time_s` holds `0.001233567`: its sample took another");
    for (file, named) in [("iterations.csv", ",2,1,0"), ("workers.csv", ",1,500")] {
        fs::write(&path, &text).expect("written");
        let of_file = dir.path().join(file);
        let kept = fs::read_to_string(&of_file).expect("rows");
        let line = kept.lines().find(|line| line.contains(named)).expect("a row");
        let foreign = kept.replacen(line, &line.replacen("1,ybwc,2,", "7,ybwc,2,", 1), 1);
        assert_ne!(foreign, kept, "{file}");
        fs::write(&of_file, foreign).expect("written");
        let error = open(dir.path(), &with_detail()).expect_err("refused").to_string();
        assert!(error.contains(&format!("{file}:3: its sample is not in samples.csv")), "{error}");
        fs::write(&of_file, kept).expect("written");
    }
    open(dir.path(), &with_detail()).expect("whole");
}

#[test]
fn a_search_without_iterative_deepening_has_one_iteration() {
    let mut experiment = Experiment::default();
    experiment.engine.iterative_deepening = false;
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (mut journal, _) = open(dir.path(), &experiment).expect("a new journal");
    let last = Parts { iterations: parts().iterations.split_off(2), ..Parts::default() };
    (0..2).for_each(|order| journal.append(&sample(order), last.clone()).expect("appended"));
    assert_eq!(open(dir.path(), &experiment).expect("whole").1.samples.len(), 2);
}

#[test]
fn an_impossible_sample_is_refused() {
    let dir = two_samples();
    let path = dir.path().join(SAMPLES);
    let text = fs::read_to_string(&path).expect("samples");
    fs::write(&path, text.replacen("0.001234567", "0.000000000", 1)).expect("written");
    let error = open(dir.path(), &with_detail()).expect_err("refused").to_string();
    assert!(
        error.contains("samples.csv:2: column `time_s` holds `0.000000000`: no sea"),
        "{error}"
    );
}

#[test]
fn lines_that_end_with_a_carriage_return_too_are_not_glued() {
    for file in [SAMPLES, IterationRow::FILE, WorkerRow::FILE, DepthRow::FILE] {
        let dir = two_samples();
        let path = dir.path().join(file);
        let text = fs::read_to_string(&path).expect("rows").replace('\n', "\r\n");
        fs::write(&path, text + "1,torn").expect("written");
        let (mut journal, found) = open(dir.path(), &with_detail()).expect("repaired");
        assert_eq!(found.samples.len(), 2);
        journal.append(&sample(2), parts()).expect("appended");
        let text = fs::read_to_string(&path).expect("rows");
        assert!(!text.replace("\r\n", "\n").contains('\r'), "{file}: {text:?}");
        let (_, found) = open(dir.path(), &with_detail()).expect("whole");
        assert_eq!((found.samples.len(), found.repairs.len()), (3, 0), "{file}");
    }
}
