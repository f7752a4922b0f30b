//! Damaged results directories.

use super::*;
use crate::experiment::{EXPERIMENT, IterationRow, SAMPLES, SampleStatus};
use crate::records::{ENVIRONMENT, Row};
use crate::report::Input;
use crate::report::front::notes::without as notes;
use crate::report::synthetic::Made;
use std::fs;

/// A results directory whose files were changed so.
fn damaged(made: &Made, file: &str, change: impl Fn(String) -> String) -> tempfile::TempDir {
    let dir = made.dir();
    let path = dir.path().join(file);
    let text = fs::read_to_string(&path).expect("read");
    let after = change(text.clone());
    assert_ne!(text, after, "nothing was changed");
    fs::write(&path, after).expect("written");
    dir
}

fn read(dir: &tempfile::TempDir) -> Input {
    Input::read(dir.path()).unwrap_or_else(|e| panic!("{e}"))
}

/// The fields of a line of `samples.csv` (from 1, the header's) changed.
fn field(line: usize, column: &str, to: &str) -> impl Fn(String) -> String {
    let at = Sample::columns().iter().position(|name| name == column).expect("a column");
    move |text| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // Names of positions hold commas.
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).from_reader(lines[line - 1].as_bytes());
        let row = reader.records().next().expect("a row").expect("a row");
        let mut fields: Vec<&str> = row.iter().collect();
        fields[at] = to;
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(fields).expect("written");
        let row = String::from_utf8(writer.into_inner().expect("written")).expect("text");
        lines[line - 1] = row.trim_end().to_owned();
        lines.join("\n") + "\n"
    }
}

#[test]
fn bad_rows_are_left_out_and_told() {
    let made = Made::default();
    let whole = read(&made.dir());
    assert_eq!(whole.left_out, LeftOut::default());
    for (column, field_is, words) in [
        ("time_s", "NaN", "samples.csv:5: column `time_s` holds `NaN`, a time"),
        ("time_s", "-1.5", "samples.csv:5: column `time_s` holds `-1.5`, a time"),
        ("time_s", "0.000000000", "samples.csv:5: column `time_s` holds `0.000000000`: no search"),
        ("table_fill", "NaN", "samples.csv:5: column `table_fill` holds `NaN`"),
        ("nodes", "-3", "samples.csv:5: column `nodes` holds `-3`"),
        ("threads", "0", "samples.csv:5: column `threads` holds `0`, 1 or more expected"),
        ("threads", "3", "samples.csv:5: column `threads` holds `3`, one of 1, 2 and 4 expected"),
        ("round", "7", "samples.csv:5: column `round` holds `7`, 1 to 6 expected"),
        ("depth", "21", "samples.csv:5: column `depth` holds `21`, `12` expected"),
        ("position", "none", "samples.csv:5: column `position` holds `none`, no position of"),
        ("status", "fine", "samples.csv:5: column `status` holds `fine`"),
        (
            "searcher",
            "best",
            "samples.csv:5: column `searcher` holds `best`, one of ybwc and lazy-",
        ),
    ] {
        let input = read(&damaged(&made, SAMPLES, field(5, column, field_is)));
        assert_eq!(input.left_out.words.len(), 1);
        assert!(input.left_out.words[0].starts_with(words), "{:?}", input.left_out.words);
        assert_eq!((input.left_out.rows, input.samples.all().count()), (1, 107));
        assert_eq!(input.planned, Some(107), "it is finished, but for what was left out");
        let notes = notes(&input);
        assert!(notes[0].contains("(1 row of `samples.csv`)"), "{notes:?}");
        assert_eq!(input.figures.measured().count(), 2, "what can be computed is");
    }
}

#[test]
fn iterations_that_no_sample_can_have_are_left_out_and_told() {
    let made = Made::default();
    let dir = made.dir();
    let samples = made.samples();
    crate::report::tests::write_iterations(dir.path(), &samples, |sample, depth| {
        (sample.time.as_secs_f64() * f64::from(depth) / 12.0, 1.0)
    });
    let path = dir.path().join(IterationRow::FILE);
    let text = fs::read_to_string(&path).expect("read");
    assert_eq!(read(&dir).left_out, LeftOut::default());
    let with = |line: usize, change: &dyn Fn(&str) -> String| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines[line - 1] = change(&lines[line - 1]);
        fs::write(&path, lines.join("\n") + "\n").expect("written");
        read(&dir).left_out.words
    };
    let lost = |word: &String| {
        word.starts_with("iterations.csv: rows of 1 sample are missing (the first is sample 0: ")
    };
    for (from, to, words) in [
        (",4,0,", ",13,0,", "column `depth` holds `13`, 1 to 12 expected"),
        (",4,0,", ",3,0,", "a second row of the same sample and depth"),
        (",4,0,", ",4,9,", "column `worker` holds `9`, 0 to 0 expected"),
        ("1,ybwc", "7,ybwc", "column `round` holds `7`, 1 to 6 expected"),
        ("1,ybwc", "1,nobody", "column `searcher` holds `nobody`, one of ybwc and lazy-"),
    ] {
        let told = with(5, &|line| line.replacen(from, to, 1));
        assert!(told[0].starts_with(&format!("iterations.csv:5: {words}")), "{told:?}");
        assert!(told.len() == 2 && lost(&told[1]), "{told:?}");
    }
    let told = with(5, &|line| format!("{line}\n{line}"));
    assert_eq!(told, ["iterations.csv:6: a second row of the same sample and depth"]);
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&path, [&lines[..4], &lines[5..]].concat().join("\n") + "\n").expect("written");
    let told = read(&dir).left_out.words;
    assert!(told.len() == 1 && lost(&told[0]), "a row in the middle: {told:?}");
}

#[test]
fn a_torn_last_line_is_told_and_still_to_be_taken() {
    let made = Made::default();
    for cut in [1, 20] {
        let torn = |text: String| text[..text.len() - cut].to_owned();
        let input = read(&damaged(&made, SAMPLES, torn));
        let words = "samples.csv:109: the line has no end: it was not written whole";
        assert_eq!(input.left_out.words, [words]);
        assert_eq!((input.left_out.rows, input.samples.all().count()), (1, 107));
        assert_eq!(input.planned, Some(108), "a run that goes on takes it again");
        let notes = crate::report::front::validity::notes(&input).join("\n");
        assert!(notes.contains("**Unfinished.** 107 of 108 samples"), "{notes}");
    }
    let empty = read(&damaged(&made, SAMPLES, |text| text[..5].to_owned()));
    assert_eq!((empty.left_out.rows, empty.planned), (1, Some(108)));
}

#[test]
fn no_more_is_read_than_a_row_may_have() {
    let made = Made::default();
    let too_long = "it is a row of more than 1 MiB, and too long";
    let dir = made.dir();
    let path = |file: &str| dir.path().join(file);
    fs::write(path("judged.csv"), "").expect("written");
    let lengthen = |file: &str| {
        let file = fs::OpenOptions::new().write(true).open(path(file)).expect("opened");
        // The end takes no room on the disk.
        file.set_len(3 << 30).expect("made longer");
    };
    lengthen("judged.csv");
    assert_eq!(read(&dir).left_out.words, [format!("judged.csv:1: {too_long}")]);
    lengthen(SAMPLES);
    let refused = || Input::read(dir.path()).expect_err("a long row").to_string();
    assert_eq!(refused(), format!("{}:110: {too_long}", path(SAMPLES).display()));
    // A quotation mark that is not closed makes one row of all lines.
    fs::write(path(SAMPLES), format!("\"{}", "a\n".repeat(1 << 20))).expect("written");
    assert_eq!(refused(), format!("{}:1: {too_long}", path(SAMPLES).display()));
}

#[test]
fn a_position_set_that_is_gone_is_told() {
    let words = |named: &str| {
        let gone = |text: String| text.replace("\"middlegames\"", named);
        let left_out = read(&damaged(&Made::default(), EXPERIMENT, gone)).left_out;
        let sentence = left_out.sentence("").expect("it is told");
        assert!(sentence.contains("are in no figure: "), "{sentence}");
        left_out.words.join("; ")
    };
    let lost = ": without the positions it is not known how many samples there are to be";
    let missing = format!("gone.epd: No such file or directory (os error 2){lost}");
    assert_eq!(words("\"gone.epd\""), missing);
    let unknown = words("\"endings\"");
    assert!(unknown.starts_with("experiment.toml: there is no position set `endings`: "));
    assert!(unknown.ends_with(lost), "{unknown}");
}

#[test]
fn a_wrong_header_of_a_part_leaves_the_rest() {
    let mut made = Made::default();
    made.experiment.detail = true;
    let dir = made.dir();
    for file in ["workers.csv", "judged.csv", "explain.csv"] {
        fs::write(dir.path().join(file), "round,what\n").expect("written");
    }
    let input = read(&dir);
    let files: Vec<_> = input.left_out.words.iter().map(|told| told.split(':').next()).collect();
    assert_eq!(files, [Some("workers.csv"), Some("judged.csv"), Some("explain.csv")]);
    assert!(input.left_out.words[0].starts_with("workers.csv:1: "), "{:?}", input.left_out.words);
    assert_eq!(input.samples.all().count(), 108);
}

#[test]
fn a_row_that_stands_twice_counts_once() {
    let made = Made::default();
    let whole = read(&made.dir());
    let input = read(&damaged(&made, SAMPLES, |text| {
        let again: Vec<&str> = text.lines().skip(3).take(2).collect();
        format!("{text}{}\n", again.join("\n"))
    }));
    let told = "samples.csv:110: a second row of the same round, searcher, threads and position (and 1 more row likewise)";
    assert_eq!(input.left_out.words, [told]);
    assert_eq!((input.left_out.rows, input.left_out.planned), (2, 0));
    assert_eq!((input.samples.all().count(), input.planned), (108, whole.planned));
    assert_eq!(input.figures, whole.figures);
}

#[test]
fn rows_of_another_experiment_do_not_finish_this_one() {
    let half = Made { fate: |s| (s.round <= 3).then_some(SampleStatus::Ok), ..Made::default() };
    let mut other = Made::default();
    other.experiment.threads = vec![8];
    let rows = fs::read_to_string(other.dir().path().join(SAMPLES)).expect("read");
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    let input = read(&damaged(&half, SAMPLES, |text| format!("{text}{}\n", rows.join("\n"))));
    assert_eq!((input.left_out.rows, input.left_out.planned), (36, 0));
    assert_eq!((input.samples.all().count(), input.planned), (54, Some(108)));
}

#[test]
fn a_damaged_record_of_the_machine_is_told() {
    let made = Made::default();
    let whole = read(&made.dir());
    let input = read(&damaged(&made, ENVIRONMENT, |text| text.replace("cores_usable", "cores")));
    assert!(input.sittings.is_empty() && !whole.sittings.is_empty());
    let [told] = input.left_out.words.as_slice() else { panic!("{:?}", input.left_out.words) };
    assert!(told.starts_with("environment.toml:"), "{told}");
    assert_eq!(input.samples.all().count(), 108);
}

#[test]
fn rows_of_one_kind_are_told_together() {
    let made = Made::default();
    let dir = damaged(&made, SAMPLES, |text| text.replace("lazy-smp", "lazier"));
    let input = read(&dir);
    assert_eq!(input.left_out.words.len(), 1);
    assert!(
        input.left_out.words[0].ends_with("(and 53 more rows likewise)"),
        "{:?}",
        input.left_out
    );
    assert_eq!((input.left_out.rows, input.figures.measured().count()), (54, 1));
}

#[test]
fn rows_that_are_too_short_or_no_text_are_left_out() {
    let made = Made::default();
    let short = |text: String| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[3] = "1,2,ybwc";
        lines.join("\n") + "\n"
    };
    let input = read(&damaged(&made, SAMPLES, short));
    let words = &input.left_out.words[0];
    assert!(words.starts_with("samples.csv:4: 3 fields where "), "{words}");
    assert!(words.ends_with("there is nothing in column `threads`"), "{words}");

    let dir = made.dir();
    let path = dir.path().join(SAMPLES);
    let mut bytes = fs::read(&path).expect("read");
    let at = bytes.windows(4).position(|four| four == b"ybwc").expect("a searcher");
    bytes[at] = 0xff;
    fs::write(&path, bytes).expect("written");
    let words = &read(&dir).left_out.words;
    assert_eq!(words[0], "samples.csv:2: column `searcher` is not UTF-8 text");
}

#[test]
fn of_a_wrong_header_the_columns_are_taken_by_their_names() {
    let made = Made::default();
    let whole = read(&made.dir());
    // A state is called otherwise; there is a column more. The times are all there.
    for (header, states) in
        [(["split_s", "splitting_s"], false), (["torn_reads", "torn_reads,remark"], true)]
    {
        let dir = damaged(&made, SAMPLES, |text| {
            let (head, rows) = text.split_once('\n').expect("a header");
            let longer = header[1].ends_with("remark");
            let rows = if longer { rows.replace('\n', ",as it was\n") } else { rows.to_owned() };
            format!("{}\n{rows}", head.replacen(header[0], header[1], 1))
        });
        let input = read(&dir);
        assert_eq!(input.samples.all().count(), whole.samples.all().count());
        let known = |input: &Input| input.samples.all().all(|sample| sample.states().is_some());
        assert_eq!(known(&input), states, "{header:?}");
        let time = |input: &Input| input.figures.searchers[0].rows[1].time_s;
        assert_eq!(time(&input), time(&whole));
        let told = input.left_out.words.join("\n");
        assert!(told.starts_with("samples.csv:1: the header is not that of such a file: column"));
        assert!(told.contains("The columns are taken by their names"), "{told}");
        assert_eq!(input.left_out.rows, 0);
    }
}

#[test]
fn a_header_without_what_every_row_needs_is_refused() {
    // The last is cut from the header alone: no row is as long.
    for (name, other, words) in [
        ("threads", "thread", "column 4 is `thread`, `threads` expected"),
        ("table_fill", "fill", "is `fill`, `table_fill` expected"),
        ("round,", "", "column 1 is `order`, `round` expected"),
        (",split_s", "", "`split_s` expected"),
    ] {
        let dir = damaged(&Made::default(), SAMPLES, |text| text.replacen(name, other, 1));
        let error = Input::read(dir.path()).expect_err("refused").to_string();
        let begin = "samples.csv:1: the header is not that of such a file: column";
        assert!(error.contains(begin) && error.ends_with(words), "{error}");
    }
}

#[test]
fn a_searcher_of_another_version_is_left_out_and_the_others_are_not() {
    let made = Made::default();
    let newer = |text: String| text.replace("lazy-smp", "lazier-smp");
    let dir = damaged(&made, EXPERIMENT, newer);
    let samples = dir.path().join(SAMPLES);
    let text = fs::read_to_string(&samples).expect("read");
    fs::write(&samples, newer(text)).expect("written");
    let input = read(&dir);
    let words = &input.left_out.words;
    assert!(words[0].contains(": there is no searcher `lazier-smp` in this version"), "{words:?}");
    assert!(
        words[1].starts_with("samples.csv:11: column `searcher` holds `lazier-smp`"),
        "{words:?}"
    );
    assert_eq!(input.experiment.names(), ["ybwc"]);
    assert_eq!((input.planned, input.samples.all().count()), (Some(54), 54));
    // Anything else that is wrong with an experiment is refused.
    let dir = damaged(&made, EXPERIMENT, |text| format!("speed = 3\n{}", newer(text)));
    let error = Input::read(dir.path()).expect_err("refused").to_string();
    assert!(error.contains("experiment.toml:") && error.contains("unknown key"), "{error}");
}

#[test]
fn who_has_no_base_is_told() {
    let fate = |sample: &Sample| {
        let base = sample.searcher == "ybwc" && sample.threads == 1;
        (!base).then_some(SampleStatus::Ok)
    };
    let input = read(&Made { fate, ..Made::default() }.dir());
    let told = notes(&input);
    assert!(
        told[0].starts_with("**No base.** Speedups are relative to the same searcher"),
        "{told:?}"
    );
    assert!(told[0].contains(" and 2 other positions. The tables give"), "{told:?}");
    assert_eq!(told.len(), 1);
    assert!(notes(&read(&Made::default().dir())).is_empty());
}
