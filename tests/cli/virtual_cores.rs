//! `ttd run --cores virtual`, and what stands beside it: `ttd validate`, `ttd explain`, and dilated
//! time.

use crate::common::Place;

const SMALL: &str = "run --cores virtual --threads 1,2,5 --depth 5 --only 1,2 --runs 2 --hash 1";
const MEASURED: [&str; 3] = ["samples.csv", "iterations.csv", "experiment.toml"];
const DERIVED: [&str; 4] = ["speedups.csv", "summary.csv", "fits.csv", "work-span.csv"];

#[test]
fn the_same_bytes_again_and_with_several_jobs() {
    let place = Place::new();
    for (out, jobs) in [("a", 1), ("b", 1), ("c", 3)] {
        place.call(&format!("{SMALL} --name same --out {out} --jobs {jobs}")).exits(0);
    }
    for file in MEASURED.iter().chain(&DERIVED) {
        let first = place.read(&format!("a/{file}"));
        assert!(!first.is_empty(), "{file}");
        for other in ["b", "c"] {
            assert_eq!(place.read(&format!("{other}/{file}")), first, "{other}/{file}");
        }
    }
    let samples = place.read("a/samples.csv");
    assert_eq!(samples.lines().count(), 1 + 2 * 3 * 2 * 2);
    assert!(samples.lines().skip(1).all(|line| line.contains(",ok,")), "{samples}");
}

#[test]
fn on_fewer_processors_too() {
    let place = Place::new();
    let call = format!("{SMALL} mine.toml").replace(" --cores virtual", "");
    let run = |out: &str, processors: &str, jobs: u8| {
        let text = format!("cores = \"virtual\"\n[virtual]\nslice_ps = 50000000\n{processors}\n");
        place.write("mine.toml", &text);
        place.call(&format!("{call} --name same --out {out} --jobs {jobs}")).exits(0)
    };
    run("own", "", 1);
    run("many", "processors = 5", 1);
    assert!(run("two", "processors = 2", 1).out.contains("5*"));
    run("again", "processors = 2", 3);
    let samples = |out: &str| place.read(&format!("{out}/samples.csv"));
    assert_eq!(samples("many"), samples("own"));
    assert_eq!(samples("again"), samples("two"));
    let of = |threads: &str, out: &str| -> Vec<String> {
        let at = format!(",{threads},");
        samples(out).lines().filter(|line| line.contains(&at)).map(str::to_owned).collect()
    };
    assert_eq!(of("ybwc,2", "two"), of("ybwc,2", "own"));
    assert!(of("ybwc,5", "two") != of("ybwc,5", "own") && of("ybwc,5", "two").len() == 4);
}

#[test]
fn what_it_writes_is_the_same_experiment() {
    let place = Place::new();
    place.write("mine.toml", "cores = \"virtual\"\n[virtual]\nsection_ps = 77777\n");
    let call = format!(
        "{} mine.toml --only 1 --threads 1,3 --out a",
        SMALL.replace(" --cores virtual", "")
    );
    let call = call.replace("--only 1,2 ", "").replace("--threads 1,2,5 ", "");
    place.call(&call).exits(0).says("cores       virtual, with other costs than the default");
    let written = place.read("a/experiment.toml");
    assert!(written.contains("cores = \"virtual\"") && written.contains("section_ps = 77777"));
    place.call("run a/experiment.toml --out b --jobs 2").exits(0);
    for file in MEASURED {
        assert_eq!(place.read(&format!("b/{file}")), place.read(&format!("a/{file}")), "{file}");
    }
}

#[test]
fn what_virtual_cores_cannot_do_is_refused() {
    let place = Place::new();
    place.write("negative.toml", "cores = \"virtual\"\n\n[virtual]\nnode_ps = 5\nwake_ps = -1\n");
    let message = "negative.toml:5: virtual.wake_ps: `wake_ps` is -1: 0 to 1000000000 expected";
    place.call("run negative.toml").exits(2).says(message);
    place.write("none.toml", "cores = \"virtual\"\n\n[virtual]\nprocessors = 0\n");
    let message = "none.toml:4: virtual.processors: `processors` is 0: 1 to 1024 expected";
    place.call("run none.toml").exits(2).says(message);
    place.write("unknown.toml", "[virtual]\nspeed = 1\n");
    let message = "unknown.toml:2: virtual.speed: unknown key `speed`, expected one of `node_ps`";
    place.call("run unknown.toml").exits(2).says(message);
    place.write("still.toml", "cores = \"virtual\"\n[virtual]\njitter_permille = 0\n");
    let message = "--runs: 3 found, 1 expected: with jitter_permille = 0";
    place.call("run still.toml --runs 3").exits(2).says(message);
    let message = "--jobs: 2 found, 1 expected: only samples on virtual cores";
    place.call("run --jobs 2 --only 1").exits(2).says(message);
    place.call("run --cores virtual --jobs 0").exits(2).says("1 to 1024 expected");
    place.write("debug.toml", "cores = \"virtual\"\n[searcher.ybwc]\nsequential = true\n");
    let message = "debug.toml:3: searcher.ybwc.sequential: true found, false expected";
    place.call("run debug.toml").exits(2).says(message);
    place.call("run --cores virtual --pin 0").exits(2).says("--pin");
}

/// One worker and two: a worker that searches alone asks no other whether the search has ended.
#[test]
fn a_sample_that_takes_too_long_on_the_host_fails_and_the_rest_goes_on() {
    let place = Place::new();
    let endless = "cores = \"virtual\"\nhost_limit_s = 0.001\nsearchers = [\"sequential\", \"ybwc\"]\n\
                   threads = [1, 2]\nonly = [\"1\"]\ndepth = 60\nruns = 2\nhash_mib = 1\n";
    place.write("endless.toml", endless);
    place.call("run endless.toml --out a").exits(3).says("6 samples failed: see a/log.txt");
    let samples = place.read("a/samples.csv");
    assert!(samples.lines().skip(1).all(|line| line.contains(",failed,")), "{samples}");
    assert_eq!(samples.lines().count(), 1 + 6);
    let log = place.read("a/log.txt");
    assert_eq!(log.matches("the host limit of 1ms").count(), 6);
    assert_eq!(log.matches("(`host_limit_s` allows more)").count(), 6);
}

#[test]
fn a_time_limit_is_virtual_time() {
    let place = Place::new();
    let call = "run --cores virtual --threads 1,2 --depth 30 --only 1 --runs 1 --hash 1 \
                --time-limit 0.02 --out a";
    place.call(call).exits(0);
    let samples = place.read("a/samples.csv");
    assert!(samples.lines().skip(1).all(|line| line.contains(",censored,0.02")), "{samples}");
}

#[test]
fn costs_are_halved_and_doubled() {
    let place = Place::new();
    let call = "run --cores virtual --threads 1,3 --depth 5 --only 1 --runs 2 --hash 1 --out a \
                --searchers ybwc --sensitivity";
    place.call(call).exits(0).says("sensitivity 1 of").says("about ");
    let report = place.read("a/report.md");
    assert!(report.contains("## If things cost something else"), "{report}");
    let table = place.read("a/sensitivity.csv");
    let rows = |cost: &str| table.lines().filter(|line| line.starts_with(cost)).count();
    assert_eq!((rows("split_ps,halved,ybwc,3,"), rows("wake_ps,doubled,ybwc,3,")), (1, 1));
    let halved = table.lines().find(|line| line.starts_with("split_ps,halved")).expect("a row");
    let figures: Vec<f64> = halved.split(',').skip(4).map(|x| x.parse().expect("known")).collect();
    assert!((figures[1]..=figures[2]).contains(&figures[0]), "within its interval: {halved}");
    let cell = format!("{:.2} ({:.2} to {:.2}) / ", figures[0], figures[1], figures[2]);
    assert!(report.contains(&cell), "{cell} in {report}");
    place.call(call).exits(0).says("nothing is left to measure");
    assert_eq!(place.read("a/sensitivity.csv"), table);
    // Variations with other costs belong to another experiment.
    let other = place.read("a/experiment.toml").replace("wake_ps = ", "wake_ps = 1");
    place.write("other.toml", &other);
    place.call("run other.toml --out a --fresh").exits(0);
    assert!(!place.read("a/report.md").contains("If things cost something else"));
    let message = "--sensitivity: real cores found, virtual cores expected";
    place.call("run --sensitivity --only 1").exits(2).says(message);
}

#[test]
fn what_is_calibrated_can_be_pasted() {
    let place = Place::new();
    let printed = place.call("calibrate --depth 5 --hash 1 --runs 1").exits(0).out;
    assert!(printed.contains("[virtual]\n") && printed.contains("\nnode_ps = "), "{printed}");
    place.write("mine.toml", &format!("cores = \"virtual\"\n{printed}"));
    place.call(&format!("{} mine.toml --dry-run", SMALL.replace(" --cores virtual", ""))).exits(0);
    place.call("calibrate --hash 99999999").exits(2).says("--hash: 99999999 found");
    place.call("calibrate --positions nowhere").exits(2).says("nowhere");
}

#[test]
fn a_simulation_beside_the_real_thing() {
    let place = Place::new();
    let call = "run --threads 1,2 --depth 6 --only 1,2,3 --hash 1 --searchers ybwc,sequential";
    place.call(&format!("{call} --runs 3 --out real")).exits(0);
    place.call(&format!("{call} --runs 2 --cores virtual --out virtual")).exits(0);
    let ended = place.call("validate real virtual");
    let ended_with = ended.code;
    // On a machine with a single core two threads are oversubscribed, and say nothing.
    if ended.code == Some(2) {
        ended.says("nothing to compare");
    } else {
        let printed = ended.exits(0).out;
        assert!(printed.contains("ybwc, 2 workers: virtual / real = "), "{printed}");
        let table = place.read("virtual/validation/validation.csv");
        assert_eq!(table.lines().count(), 2, "{table}");
        let report = place.read("virtual/validation/validation.md");
        assert!(report.contains("charts/validation-2.svg") && !report.contains("NaN"), "{report}");
        assert!(place.read("virtual/validation/charts/validation-2.svg").ends_with("</svg>\n"));
        let samples = place.read("real/samples.csv");
        place.write("real/samples.csv", &format!("{samples}1,2,3\n"));
        let called = place.call("validate real virtual").exits(0);
        assert_eq!(
            called.says("ttd: left out: real/samples.csv:").says(": 3 fields where ").out,
            printed
        );
        let report = place.read("virtual/validation/validation.md");
        assert!(report.contains("cannot be used of the real side are in no figure"), "{report}");
    }
    // Competitors that only one of them has may be set otherwise.
    let more = "cores = \"virtual\"\nsearchers = [\"ybwc\", \"lazy-smp\"]\n[searcher.lazy-smp]\nend = \"main\"\n";
    place.write("more.toml", more);
    let virtual_call = call.replace(" --searchers ybwc,sequential", " more.toml --runs 1");
    place.call(&format!("{virtual_call} --out more")).exits(0);
    assert_eq!(place.call("validate real more").code, ended_with);
    place.write("set.toml", "cores = \"virtual\"\n[searcher.ybwc]\neldest = 3\n");
    place.call(&format!("{} --out set", virtual_call.replace("more.toml", "set.toml"))).exits(0);
    place.call("validate real set").exits(2).says("differ in searcher");
    place.call("validate virtual real").exits(2).says("virtual: not of real cores, as expected");
    place.call("validate real nothing").exits(2).says("nothing: there is no experiment.toml");
    place
        .call("run --threads 1,2 --depth 5 --only 1 --hash 1 --runs 1 --cores virtual --out other");
    place.call("validate real other").exits(2).says("differ in positions, depth");
}

/// A busy machine may leave dilated workers no room: then the sample says so.
#[test]
fn many_workers_in_dilated_time_beside_virtual_ones() {
    let place = Place::new();
    let call = "run --threads 1,4 --depth 5 --only 1 --hash 1 --runs 1 --searchers ybwc";
    let called = place.call(&format!("{call} --dilate 100 --dilate-nodes 64 --out real"));
    assert!(
        called
            .err
            .contains("cores       real, in time dilated 100 times: a rest after every 64 nodes")
    );
    assert!(!called.err.contains("oversubscribed"), "{}", called.err);
    let kept = place.read("real/experiment.toml");
    assert!(kept.contains("\ndilate = 100\ndilate_nodes = 64\n"), "{kept}");
    if called.code == Some(3) {
        assert!(place.read("real/log.txt").contains("dilated: workers waited"));
        return;
    }
    assert!(called.exits(0).out.contains("in dilated time: wall time over 100"));
    let report = place.read("real/report.md");
    for words in ["**Dilated time.**", "in dilated time (times divided by 100)", "rest"] {
        assert!(report.contains(words), "{words} in {report}");
    }
    place.call(&format!("{call} --dilate 100 --out real")).exits(2).says("dilate_nodes");
    place.write("mine.toml", "cores = \"virtual\"\n[virtual]\ndilate = 100\njitter_permille = 0\n");
    place.call(&format!("{call} mine.toml --out virtual")).exits(0);
    let printed = place.call("validate real virtual").exits(0).out;
    assert!(printed.contains("ybwc, 4 workers: virtual / real = "), "{printed}");
    assert!(printed.contains("searcher  depth  threads "), "{printed}");
    let depths = place.read("virtual/validation/by-depth.csv");
    assert_eq!(depths.lines().count(), 1 + 5, "{depths}");
    assert!(place.read("virtual/validation/validation.md").contains("dilated 100 times"));
    place.call("validate real virtual real").exits(2).says("an odd number of directories found");
    place.call(&format!("{call} --cores virtual --out other")).exits(0);
    place.call("validate real other").exits(2).says("differ in dilate");
}

#[test]
fn time_that_cannot_be_dilated_is_refused() {
    let place = Place::new();
    place.write("alone.toml", "searchers = [\"ybwc\"]\n[searcher.ybwc]\nsequential = true\n");
    for (call, message) in [
        ("--cores virtual --dilate 8", "--dilate: 8 found with virtual cores, none expected"),
        ("--dilate 0", "--dilate: 0 found, 1 to 10000 expected"),
        ("--dilate 10001", "--dilate: 10001 found, 1 to 10000 expected"),
        ("--dilate-nodes 16", "--dilate-nodes: 16 found, none expected without `dilate`"),
        ("--dilate 999 --dilate-nodes 0", "--dilate-nodes: 0 found, 1 to 1000000 expected"),
        ("--dilate 1 --threads 1,1024", "or more expected for 1024 threads on"),
        ("--dilate 99 --engine cat", "--dilate: found with the outside engine `cat`"),
        ("alone.toml --dilate 99", "--dilate: found with `ybwc`, whose workers run one at a time"),
    ] {
        place.call(&format!("run --only 1 --depth 4 --dry-run {call}")).exits(2).says(message);
    }
    place.call("match --dilate 8").exits(2).says("--dilate");
    let virtually = "run --only 1 --depth 4 --dry-run far.toml";
    place.write("far.toml", "cores = \"virtual\"\n[virtual]\ndilate = 0\n");
    place.call(virtually).exits(2).says("`dilate` is 0: 1 to 10000 expected");
}

#[test]
fn moves_are_judged_by_deeper_searches() {
    let place = Place::new();
    place.call("run --cores virtual --threads 1,4 --depth 5 --only 1,2,3 --hash 1 --searchers ybwc --out a");
    let table = place.call("quality a --depth 7 --jobs 2").exits(0).out;
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..4], ["searcher", "threads", "depth", "positions"], "{table}");
    assert_eq!(rows[1][..4], ["sequential", "1", "4", "3"], "{table}");
    let same = ["ybwc", "1", "5", "3", "100.0%", "0", "+0.00", "none"];
    assert_eq!(rows[2], same, "one worker is the sequential search: {table}");
    assert_eq!(rows[3][..4], ["ybwc", "4", "5", "3"], "{table}");
    assert_eq!(place.call("quality a --depth 7").exits(0).out, table);
    place.call("quality a --depth 5").exits(2).says("--depth: 5 found, expected more than 5");
    // Rows that do not belong to the experiment are reported, and not judged.
    let samples = place.read("a/samples.csv");
    place.write("a/samples.csv", &format!("{samples}1,2,3\n"));
    let called = place.call("quality a --depth 7").exits(0);
    let called = called.says("ttd: left out: a/samples.csv:").says(": 3 fields where ");
    assert_eq!(called.out, table);
    let experiment = place.read("a/experiment.toml");
    place.write("a/experiment.toml", &experiment.replace("hash_mib", "hash"));
    place.call("quality a").exits(2).says("unknown key `hash`");
    place.call("quality b").exits(2).says("b: there is no experiment.toml");
}

#[test]
fn a_simulation_has_a_signature_too() {
    let place = Place::new();
    let bench = |options: &str| {
        let called = place.call(&format!("bench --depth 5 --hash 1 {options}")).exits(0);
        called.out.lines().last().expect("a signature").to_owned()
    };
    let sequential = bench("");
    assert_eq!(bench("--virtual-cores 1"), sequential);
    assert_eq!(bench("--virtual-cores 1 --searcher ybwc"), sequential);
    // All passes visit equal nodes, or the program says that they do not.
    bench("--virtual-cores 4 --searcher lazy-smp --runs 2");
    place.call("bench --virtual-cores 2").exits(2).says("--virtual-cores: 1 expected");
}

const LADDER: &str = "cores = \"virtual\"\nonly = [\"1\", \"2\"]\nthreads = [1, 4]\ndepth = 5\n\
                      searchers = [\"sequential\", \"ybwc\", \"lazy-smp\"]\nhash_mib = 1\nruns = 2\n";

#[test]
fn a_ladder_goes_on_where_it_stopped_and_begins_with_the_run_as_it_is() {
    let place = Place::new();
    place.write("mine.toml", LADDER);
    let call =
        |more: &str| place.call(&format!("explain mine.toml --runs 2 --out a{more}")).exits(0);
    let called =
        call("").says("ttd: ybwc, lazy-smp with 4 workers, 2 rounds on 2 positions: 64 searches");
    for words in ["unexplained; the span allows", "ybwc beside lazy-smp with 4 workers: "] {
        assert!(called.out.contains(words), "{}", called.out);
    }
    let whole = place.read("a/explain.csv");
    assert_eq!(whole.lines().count(), 1 + 64);
    // It was killed while it wrote a row of the third position and round.
    let torn = whole.match_indices('\n').nth(40).expect("a line").0;
    place.write("a/explain.csv", &whole[..torn + 9]);
    let again =
        call(" --jobs 2").says("the last line is torn, and is cut off").says(": 24 searches");
    assert_eq!((again.out, place.read("a/explain.csv")), (called.out, whole.clone()));
    // Each machine as it is runs the searches of `ttd run`.
    place.call("run mine.toml --out b").exits(0);
    // The searcher, and behind the status the time and the nodes.
    let of = |file: &str, kept: &dyn Fn(&str) -> bool| -> Vec<String> {
        let text = place.read(file);
        let fields = |line: &str| {
            let (before, behind) = line.split_once(",ok,").expect("a finished search");
            let searcher = before.split(',').find(|field| ["ybwc", "lazy-smp"].contains(field));
            let figures: Vec<&str> = behind.split(',').take(2).collect();
            format!("{} {figures:?}", searcher.expect("one of the two"))
        };
        let mut rows: Vec<String> =
            text.lines().skip(1).filter(|line| kept(line)).map(fields).collect();
        rows.sort();
        rows
    };
    let explained = of("a/explain.csv", &|line| line.contains(",as-it-is,"));
    let is_of_four = |line: &str| ["ybwc,4,", "lazy-smp,4,"].iter().any(|cell| line.contains(cell));
    assert_eq!((explained.len(), explained), (8, of("b/samples.csv", &is_of_four)));
    // A report shows the ladder, with changed costs as one more machine.
    call(" --what-if section_ps=0,wake_ps/2").says(": 8 searches");
    assert!(place.read("a/report.md").contains("## Where the speedup is lost"));
    assert!(place.path("a/charts/ladder-ybwc-4.svg").exists());
    let ladder = place.read("a/ladder.csv");
    assert_eq!(ladder.lines().count(), 1 + (6 + 1 + 1) + (3 + 1 + 1), "{ladder}");
    // Other searchers than those of the file.
    let other = place.call("explain mine.toml --searchers ybwc,dts --runs 1 --out d").exits(0);
    other.says("ttd: ybwc, dts with 4 workers, 1 round on 2 positions");
    place.write("mine.toml", &LADDER.replace("depth = 5", "depth = 4"));
    let other = place.call("explain mine.toml --out a").exits(2);
    other.says("a: it has the ladder of another experiment: --out DIR names another directory");
}

#[test]
fn a_directory_of_real_cores_is_simulated() {
    let place = Place::new();
    place.call("run --threads 1,2 --depth 4 --only 1 --runs 1 --hash 1 --out a").exits(0);
    let called = place.call("explain a --runs 1").exits(0);
    let called =
        called.says("ttd: a: an experiment on real cores: it is simulated on virtual ones");
    assert!(called.out.contains("ybwc with 2 workers"), "{}", called.out);
    assert!(place.read("a/experiment.toml").contains("cores = \"real\""), "it stays as it was");
    assert!(place.read("a/report.md").contains("| ybwc | 2 | as it is |"));
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let place = Place::new();
    place.write("mine.toml", LADDER);
    let call = |rest: &str| place.call(&format!("explain {rest}")).exits(2);
    call("mine.toml --what-if sections=0").says("--what-if: unknown key `sections`: did you mean");
    call("mine.toml --what-if section_ps").says("KEY=VALUE, KEY/N or KEY*N expected");
    call("mine.toml --what-if node_ps=0").says("`node_ps` is 0: 1 to 1000000000 expected");
    call("mine.toml --threads 1").says("--threads: 1 found, 2 or more expected");
    call("mine.toml --threads 0").says("1 to 1024 expected");
    call("mine.toml --runs 0").says("1 to 10000 expected");
    place.call("run mine.toml --depth 3 --runs 1 --out r").exits(0);
    call("r --depth 4").says("--depth: a results directory found");
    call("r --searchers dts").says("--searchers: a results directory found");
    call("mine.toml --searchers dst")
        .says("--searchers: there is no searcher `dst`: did you mean `dts`?");
    call(".").says("there is no experiment.toml: expected a results directory");
    call("none.toml").says("none.toml");
    place.write("small.toml", &format!("{LADDER}[virtual.cache]\nsockets = 1\n"));
    call("small.toml --threads 65").says("--threads: 65 workers found, at most 64 expected");
    place.write("one.toml", &LADDER.replace("[1, 4]", "[1]"));
    call("one.toml").says("threads: 1 found in the experiment, 2 or more expected");
    place.write("alone.toml", &LADDER.replace(", \"ybwc\", \"lazy-smp\"", ""));
    call("alone.toml")
        .says("searchers: sequential found, one of our searchers with several workers");
}
