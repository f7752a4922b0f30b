//! Partial experiments that are resolved, and ones that are refused.

use super::*;
use crate::experiment::EXPERIMENT;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use ttd_search::cores::CostModel;
use ttd_search::engine::Techniques;
use ttd_search::searchers::Costs;

fn from_toml(text: &str, options: &PartialExperiment) -> Result<Resolved, String> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    resolve_in(&dir, text, options)
}

fn resolve_in(dir: &TempDir, text: &str, options: &PartialExperiment) -> Result<Resolved, String> {
    let path = dir.path().join("mine.toml");
    fs::write(&path, text).expect("written");
    let inside = |e: String| e.replace(&format!("{}/", dir.path().display()), "");
    let file = TomlFile::read(&path).map_err(|e| inside(e.to_string()))?;
    resolve(Some(&file), options, Some(1000)).map_err(|e| inside(e.to_string()))
}

#[test]
fn nothing_said_is_the_default_experiment() {
    let resolved = resolve(None, &PartialExperiment::default(), None).expect("the defaults");
    assert_eq!(resolved.experiment, Experiment::default());
    assert_eq!(resolved.positions.len(), 30);
}

#[test]
fn options_override_the_file_and_the_file_the_defaults() {
    let options =
        PartialExperiment { depth: Some(9), runs: Some(7), ..PartialExperiment::default() };
    let text = "depth = 8\nruns = 7\nthreads = \"1-3\"\nonly = [\"2\", \"1-2\"]\n";
    let resolved = from_toml(text, &options).expect("an experiment");
    let e = resolved.experiment;
    assert_eq!((e.depth, e.runs, e.threads, e.hash_mib), (9, 7, vec![1, 2, 3], 256));
    assert!(e.name.starts_with("mine-") && e.name.len() == 11, "{}", e.name);
    assert_eq!(e.only.len(), 2);
    assert!(e.only[0].starts_with("Morphy-L"), "in the order of the set");
    assert_eq!(resolved.positions[0].id, e.only[0]);
}

/// The front page names the directory of its command.
#[test]
fn options_give_a_short_name() {
    let options = |runs| PartialExperiment {
        depth: Some(12),
        threads: "1,2".parse().ok(),
        runs,
        ..PartialExperiment::default()
    };
    let name = |runs| resolve(None, &options(runs), None).expect("an experiment").experiment.name;
    assert_eq!([name(None), name(Some(12))], ["run-a1e4a8", "run-a1e4a8"], "rounds go on");
    let page = include_str!("../../../README.md");
    assert!(
        page.contains("run --threads 1,2 --depth 12\n") && page.contains("results/run-a1e4a8`")
    );
}

#[test]
fn a_name_in_an_option_is_the_whole_name() {
    let named = |name: &str| PartialExperiment {
        name: Some(name.to_owned()),
        depth: Some(9),
        ..PartialExperiment::default()
    };
    let resolved = from_toml("name = \"x\"\n", &named("mine")).expect("an experiment");
    assert_eq!(resolved.experiment.name, "mine");
    let refused = from_toml("", &named("a/b")).expect_err("no directory");
    assert!(refused.starts_with("--name: `a/b` found"), "{refused}");
}

#[test]
fn what_it_writes_is_the_same_experiment() {
    let text = "name = \"x\"\nsearchers = [\"sequential\", \"ybwc\"]\nthreads = [4, 1, 4]\n\
                time_limit_s = 2.5\nbase = \"sequential\"\nonly = [\"3\"]\nseed = 9\n";
    let first = from_toml(text, &PartialExperiment::default()).expect("an experiment").experiment;
    let again =
        from_toml(&first.to_toml(), &PartialExperiment::default()).expect("again").experiment;
    assert_eq!(again, first);
}

#[test]
fn the_kept_variants_differ_from_their_reference_and_read_back() {
    for name in [
        "ablation",
        "ablation-on",
        "ablation-ordering",
        "ablation-pruning",
        "ablation-lazy-smp",
        "ablation-minimax",
        "openmp-study",
    ] {
        let path = format!("{}/experiments/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let file = TomlFile::read(Path::new(&path)).unwrap_or_else(|e| panic!("{e}"));
        let resolved = resolve(Some(&file), &PartialExperiment::default(), None);
        let experiment = resolved.unwrap_or_else(|e| panic!("{e}")).experiment;
        assert!(experiment.variants.len() > 1);
        for variant in &experiment.variants {
            assert_ne!(variant.engine, experiment.engine, "{name}: {}", variant.name);
        }
        assert_eq!(read_back(&experiment), experiment);
    }
}

/// The experiment that its own file describes, on a machine with enough memory for it.
fn read_back(experiment: &Experiment) -> Experiment {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join(EXPERIMENT);
    fs::write(&path, experiment.to_toml()).expect("written");
    let file = TomlFile::read(&path).unwrap_or_else(|e| panic!("{e}"));
    resolve(Some(&file), &PartialExperiment::default(), None).expect("again").experiment
}

/// A technique that the experiment switches off is on again if the variant says so.
#[test]
fn a_variant_is_over_what_the_experiment_says() {
    let text = "[engine]\nquiescence = false\n[[variants]]\nname = \"with\"\nsearcher = \"ybwc\"\n\
                engine = { quiescence = true }\n";
    let experiment =
        from_toml(text, &PartialExperiment::default()).expect("an experiment").experiment;
    assert!(!experiment.engine.delta_pruning.enabled);
    assert_eq!(experiment.variants[0].engine, Techniques::default());
    let again =
        from_toml(&experiment.to_toml(), &PartialExperiment::default()).expect("again").experiment;
    assert_eq!(again, experiment);
}

#[test]
fn a_virtual_experiment_keeps_its_whole_costs() {
    let text = "cores = \"virtual\"\n[virtual]\nnode_ps = 7\n[virtual.sequential]\nnode_ps = 8\n\
                [virtual.ybwc]\nslowdown_permille = 90\n";
    let first = from_toml(text, &PartialExperiment::default()).expect("an experiment").experiment;
    let common = CostModel { node_ps: 7, ..CostModel::default() };
    let mut costs = Costs::from(common);
    costs.set(Searcher::named("ybwc"), CostModel { slowdown_permille: 90, ..common });
    assert_eq!(first.costs, Some(costs), "of the searchers compared");
    let written = first.to_toml();
    assert!(written.contains("[virtual]\nnode_ps = 7\nquiescence_node_ps = "), "{written}");
    assert!(written.ends_with("\n[virtual.ybwc]\nslowdown_permille = 90\n"), "{written}");
    let again = from_toml(&written, &PartialExperiment::default()).expect("again").experiment;
    assert_eq!(again, first);
    let real = PartialExperiment { cores: Some("real".to_owned()), ..PartialExperiment::default() };
    let real = from_toml(text, &real).expect("an experiment").experiment;
    assert_eq!((real.costs.as_ref(), real.to_toml().contains("virtual")), (None, false));
}

#[test]
fn a_position_file_is_found_beside_the_experiment() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("my.epd"), "4k3/8/8/8/8/8/8/4K2R w K -\n").expect("written");
    let resolved = resolve_in(&dir, "positions = \"my.epd\"\n", &PartialExperiment::default());
    let resolved = resolved.expect("an experiment");
    assert_eq!(resolved.positions.len(), 1);
    assert_eq!(Path::new(&resolved.experiment.positions), dir.path().join("my.epd"));
    fs::write(dir.path().join("my.epd"), "4k3/8/8/8/8/8/8/3KK2R w - -\n").expect("written");
    let error = resolve_in(&dir, "positions = \"my.epd\"\n", &PartialExperiment::default())
        .expect_err("refused");
    assert_eq!(
        error,
        "my.epd:1: white has 2 kings: expected one (antichess is not known)\n\
         `--skip-bad` leaves such lines out, and says how many"
    );
}

#[test]
fn says_where_and_what_was_expected() {
    for (text, message) in [
        ("\ndeep = 3\n", "mine.toml:2: deep: unknown key `deep`, expected one of `name`"),
        ("depth = 0\n", "mine.toml:1: depth: 0 found, 1 to 100 expected"),
        ("runs = 1\ndepth = 200\n", "mine.toml:2: depth: 200 found, 1 to 100 expected"),
        (
            "depth = \"a\"\n",
            "mine.toml:1: depth: invalid type: string \"a\", expected a whole number",
        ),
        ("threads = [1, 0]\n", "mine.toml:1: threads: 0 found, 1 to 1024 expected"),
        ("threads = []\n", "mine.toml:1: threads: empty"),
        ("threads = [2, 4]\n", "mine.toml:1: threads: 1 is missing"),
        ("threads = \"4-1\"\n", "mine.toml:1: threads: `4-1` found, a list such as"),
        ("runs = 0\n", "mine.toml:1: runs: 0 found, 1 to 1000000 expected"),
        ("hash_mib = 1001\n", "mine.toml:1: hash_mib: 1001 found, 1 to 1000 expected (the memory"),
        ("time_limit_s = 0\n", "mine.toml:1: time_limit_s: 0 found, seconds from 0.001"),
        ("time_limit_s = nan\n", "mine.toml:1: time_limit_s: NaN found"),
        (
            "searchers = [\"abc\"]\n",
            "mine.toml:1: searchers: there is no searcher `abc`; there are",
        ),
        ("searchers = []\n", "mine.toml:1: searchers: empty: expected at least one of"),
        ("cores = \"magic\"\n", "mine.toml:1: cores: `magic` found, real or virtual expected"),
        ("host_limit_s = 0\n", "mine.toml:1: host_limit_s: 0 found, seconds from 0.001"),
        ("[virtual]\nnode_ps = -3\n", "mine.toml:2: virtual.node_ps: `node_ps` is -3: 1 to"),
        ("\n[virtual]\nnode = 3\n", "mine.toml:3: virtual.node: unknown key `node`: did you m"),
        ("[virtual]\nwake_ps = 1.5\n", "mine.toml:2: virtual.wake_ps: `wake_ps` is 1.5: 0 to"),
        (
            "[virtual]\nnode_ps = 0\n[virtual.lazy-smp]\nnode_ps = 1\n",
            "mine.toml:2: virtual.node_ps: `node_ps` is 0: 1 to",
        ),
        (
            "[virtual]\nnode_ps = 1\n[virtual.ybwc]\nnode_ps = 0\n",
            "mine.toml:4: virtual.ybwc.node_ps: `ybwc.node_ps` is 0: 1 to",
        ),
        (
            "cores = \"virtual\"\nruns = 2\n[virtual]\njitter_permille = 0\n",
            "mine.toml:2: runs: 2 found, 1 expected: with jitter_permille = 0",
        ),
        (
            "cores = \"virtual\"\nvirtual.processors = 8\n[[engines]]\nname = \"a\"\ncommand = [\"sh\"]",
            "mine.toml:2: virtual.processors: found with outside engines only",
        ),
        (
            "cores = \"virtual\"\nhash_mib = 16\nthreads = \"1-1024\"\n",
            "mine.toml:3: threads: 1024 virtual cores and the table need 2064 MiB; 1000 are",
        ),
        ("base = \"sequential\"\n", "mine.toml: searchers: sequential is missing"),
        (
            "positions = \"midgames\"\n",
            "mine.toml:1: positions: there is no position set `midgames`: ",
        ),
        ("positions = \"my.epd\"\n", "mine.toml:1: positions: there is no file `my.epd`: "),
        ("only = [\"Nobody\"]\n", "mine.toml:1: only: there is no position `Nobody`"),
        ("seed = -1\n", "mine.toml:1: seed: -1 found"),
        ("\n\n[engine]\nnul_move = 1\n", "mine.toml:4: engine.nul_move: unknown key"),
        (
            "[engine]\npreset = \"plain\"\n[engine.null_move]\nenabled = true\nreduction = 0\n",
            "mine.toml:5: engine.null_move.reduction: `null_move.reduction` is 0",
        ),
        ("[engine.null_move]\nenable = true\n", "mine.toml:2: engine.null_move.enable: unkn"),
        (
            "[engine.null_move]\nenabled = true\nreduction = \"x\"\n",
            "mine.toml:3: engine.null_move.reduction: invalid type: string \"x\", expected a whole",
        ),
        (
            "depth = 3\n[engine]\npreset = \"foo\"\n",
            "mine.toml:3: engine.preset: unknown value `foo`, expected one of `default`",
        ),
        ("engine = 3\n", "mine.toml:1: engine: invalid type: integer `3`, expected a table"),
        ("seed = 99999999999999999999\n", "mine.toml:1: seed: invalid type: integer `9999"),
        ("only = \"1\"\n", "mine.toml:1: only: invalid type: string \"1\", expected an array"),
        ("\n[searcher.foo]\nx = 1\n", "mine.toml:2: searcher.foo: unknown key `foo`"),
        (
            "[searcher.ybwc]\neldest = 1\nspin_us = -3\n",
            "mine.toml:3: searcher.ybwc.spin_us: invalid value: integer `-3`, expected a whole \
             number from 0",
        ),
        (
            "[searcher.ybwc]\nspin_us = 3\n[searcher.lazy-smp]\nstaggering = 3\n",
            "mine.toml:4: searcher.lazy-smp.staggering: unknown key `staggering`",
        ),
        ("depth = 3\ndepth = 4\n", "mine.toml:2: depth: duplicate key"),
        ("[searcher]\nybw = 1\n", "mine.toml:2: searcher.ybw: unknown key `ybw`"),
        ("depth = \n", "mine.toml:1: depth: "),
    ] {
        let error = from_toml(text, &PartialExperiment::default())
            .map(|r| r.experiment)
            .expect_err("refused");
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
    let options = PartialExperiment { depth: Some(0), ..PartialExperiment::default() };
    let error = from_toml("depth = 3\n", &options).map(|r| r.experiment).expect_err("refused");
    assert_eq!(error, "--depth: 0 found, 1 to 100 expected");
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = "dept = 3\ndepth = 300\nthreads = [0, 1, 2000]\nsearchers = [\"ybw\", \"dts\", 3]\n\
                positions = \"midlegames\"\ncores = \"virtal\"\nhash_mib = \"big\"\n\
                [engine]\nnul_move = false\npreset = \"exat\"\nfutility = { margn = 3 }\n\
                [virtual]\nnod_ps = 3\nwake_ps = -1\n\
                [searcher.ybwc]\neldst = 1\nmin_depth = -1\nmost_workers = 1\n\
                [[variants]]\nname = \"v\"\nsearcher = \"lazy_smp\"\nengine = { razorin = false }\n\
                [[engines]]\ncomand = \"x\"\ndepth = 0\n";
    let error = from_toml(text, &PartialExperiment::default()).expect_err("many mistakes");
    let expected = [
        "mine.toml:1: dept: unknown key `dept`: did you mean `depth`?",
        "mine.toml:2: depth: 300 found, 1 to 100 expected",
        "mine.toml:3: threads: 0 found, 1 to 1024 expected",
        "mine.toml:3: threads: 2000 found, 1 to 1024 expected",
        "mine.toml:4: searchers: invalid type: integer `3`, expected a string",
        "mine.toml:4: searchers: there is no searcher `ybw`: did you mean `ybwc`?",
        "mine.toml:5: positions: there is no position set `midlegames`: did you mean \
         `middlegames`? (A file has a name that ends in `.epd`)",
        "mine.toml:6: cores: `virtal` found, real or virtual expected: did you mean virtual?",
        "mine.toml:7: hash_mib: invalid type: string \"big\", expected a whole number",
        "mine.toml:9: engine.nul_move: unknown key `nul_move`: did you mean `null_move`?",
        "mine.toml:10: engine.preset: unknown value `exat`: did you mean `exact`?",
        "mine.toml:11: engine.futility.margn: unknown key `margn`: did you mean `margin`?",
        "mine.toml:13: virtual.nod_ps: unknown key `nod_ps`: did you mean `node_ps`?",
        "mine.toml:14: virtual.wake_ps: `wake_ps` is -1: 0 to 1000000000 expected",
        "mine.toml:16: searcher.ybwc.eldst: unknown key `eldst`: did you mean `eldest`?",
        "mine.toml:17: searcher.ybwc.min_depth: -1 found, 1 to 100 expected",
        "mine.toml:18: searcher.ybwc.most_workers: 1 found, 2 or more expected",
        "mine.toml:21: variants.searcher: there is no searcher `lazy_smp`: did you mean \
         `lazy-smp`?",
        "mine.toml:22: variants.engine.razorin: unknown key `razorin`: did you mean `razoring`?",
        "mine.toml:23: engines.name: missing: expected one",
        "mine.toml:23: engines.command: empty: a program and its arguments expected",
        "mine.toml:24: engines.comand: unknown key `comand`: did you mean `command`?",
        "mine.toml:25: engines.depth: 0 found, 1 to 255 expected",
    ];
    assert_eq!(error.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_missing_file_is_named() {
    let error = TomlFile::<PartialExperiment>::read(Path::new("no-such.toml"))
        .expect_err("refused")
        .to_string();
    assert!(error.starts_with("no-such.toml: "), "{error}");
    assert_ne!(EXPERIMENT, "no-such.toml");
}

#[test]
fn published_figures_are_of_somebody_and_possible() {
    let refused = |rows: &str| {
        let text = format!("[published]\nsource = \"x\"\nrows = [\n{rows}\n]\n");
        from_toml(&text, &PartialExperiment::default()).expect_err("impossible")
    };
    for (rows, why) in [
        (
            "{ searcher = \"nobody\", threads = 2 }",
            "mine.toml:4: published.rows.searcher: `nobody` found, one of ybwc, lazy-smp expected",
        ),
        (
            "{ searcher = \"ybwc\", threads = 2 },\n{ searcher = \"ybwc\", threads = 2 }",
            "mine.toml:4: published.rows.threads: 2 of ybwc found twice",
        ),
    ] {
        assert_eq!(refused(rows), why);
    }
    for numbers in ["[1.0, 2.0]", "[]", "[-1.0]", "[1.0, 2.0, 3.0, 4.0, 3.9]"] {
        let why = refused(&format!("{{ searcher = \"ybwc\", threads = 2, speedup = {numbers} }}"));
        assert!(why.starts_with("mine.toml:4: ") && why.contains("ascending ones"), "{why}");
    }
    // Options may leave out the searcher that published figures stand beside.
    let text = "[published]\nsource = \"x\"\nrows = [{ searcher = \"dts\", threads = 2, speedup = [1.5] }]\n";
    let resolved = from_toml(text, &PartialExperiment::default()).expect("an experiment");
    let again =
        from_toml(&resolved.experiment.to_toml(), &PartialExperiment::default()).expect("again");
    assert_eq!(again.experiment, resolved.experiment);
}

#[test]
fn the_experiments_of_the_thesis_have_its_figures() {
    for name in ["thesis", "thesis-plan"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("experiments/{name}.toml"));
        let file = TomlFile::read(&path).expect("a file");
        let experiment =
            resolve(Some(&file), &PartialExperiment::default(), None).expect(name).experiment;
        let published = experiment.published.expect("figures");
        let median = |searcher, n| {
            published.row(searcher, n)?.speedup.map(super::super::published::Quantiles::median)
        };
        assert_eq!((median("ybwc", 8), median("lazy-smp", 4)), (Some(3.818), Some(1.015)));
    }
}

#[test]
fn a_cluster_is_for_searchers_over_messages_on_virtual_cores() {
    let of = |more: &str| {
        let text = format!("searchers = ['recursive-splitting']\nruns = 1\n{more}");
        from_toml(&text, &PartialExperiment::default())
    };
    let cluster = "cores = 'virtual'\nthreads = [1, 4, 8]\n[virtual.network]\n";
    let resolved = of(&format!("{cluster}byte_ps = 0")).expect("an experiment").experiment;
    let network = resolved.costs.as_ref().and_then(|costs| costs.cluster).expect("a cluster");
    assert_eq!((network.ranks, network.latency_ps, network.byte_ps), (None, 2_000_000, 0));
    let again = from_toml(&resolved.to_toml(), &PartialExperiment::default()).expect("again");
    assert_eq!(again.experiment, resolved);
    for (more, why) in [
        (
            "[virtual.network]".to_owned(),
            "mine.toml:3: virtual.network: found with real cores, none expected: ranks of processes \
             are for `ttd-mpi`, and simulated ones for cores = \"virtual\"",
        ),
        (
            format!("{cluster}ranks = 3"),
            "mine.toml:4: threads: 4 threads found, 1 or a multiple of 3 ranks expected",
        ),
        (
            format!("{cluster}ranks = 4"),
            "mine.toml:6: virtual.network.ranks: 2 workers of recursive-splitting in a rank found, \
             at most 1 expected",
        ),
        (
            format!("{cluster}rank_mib = 64"),
            "mine.toml: hash_mib: 256 found, 64 times a power of two expected that is 8 or more: 64 \
             MiB for each rank",
        ),
        (
            format!("{cluster}[searcher.recursive-splitting]\ntable = 'shared'"),
            "mine.toml:1: searchers: recursive-splitting: `private` expected for its `table`, \
             `killers` and `history`: processes share no memory",
        ),
    ] {
        assert_eq!(of(&more).expect_err("refused"), why);
    }
}
