//! Options of `ttd run` with a few tests each.

/// `ttd run --detail`: the figures of each worker, and of the table by depth.
mod detail {
    use crate::common::Place;
    use std::collections::BTreeMap;

    const SMALL: &str = "run --cores virtual --searchers ybwc,lazy-smp --threads 1,4 --depth 7 --only 1,2 \
                     --runs 2 --hash 1 --name same";
    const TABLES: [&str; 3] =
        ["How unequal the workers are.", "Look-ups of ybwc", "Look-ups of lazy-smp"];

    /// The rows of a table, each by column.
    fn rows(place: &Place, file: &str) -> Vec<BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(place.path(file)).expect("a table");
        reader.deserialize().map(|row| row.expect("a row")).collect()
    }

    /// The columns of `workers.csv` that say which worker and sample a row is about.
    const NO_SUMS: [&str; 5] = ["round", "searcher", "threads", "position", "worker"];

    /// The fields of a row that name its sample.
    fn sample_of(row: &BTreeMap<String, String>) -> [&str; 4] {
        ["round", "searcher", "threads", "position"].map(|column| row[column].as_str())
    }

    fn number(text: &str) -> f64 {
        text.parse().expect("a number")
    }

    #[test]
    fn workers_and_depths_add_up_to_the_sample() {
        let place = Place::new();
        let called = place.call(&format!("{SMALL} --detail --out a --jobs 1")).exits(0);
        called.says("detail      each worker, and the table by depth\n");
        place.call(&format!("{SMALL} --detail --out b --jobs 2")).exits(0);
        let files =
            ["samples.csv", "iterations.csv", "workers.csv", "depths.csv", "experiment.toml"];
        for file in files {
            assert_eq!(
                place.read(&format!("a/{file}")),
                place.read(&format!("b/{file}")),
                "{file}"
            );
        }
        place.call(&format!("{SMALL} --out plain")).exits(0);
        assert_eq!(
            place.read("plain/samples.csv"),
            place.read("a/samples.csv"),
            "nothing else changes"
        );

        let (workers, depths) = (rows(&place, "a/workers.csv"), rows(&place, "a/depths.csv"));
        let samples = rows(&place, "a/samples.csv");
        assert_eq!((samples.len(), workers.len()), (2 * 2 * 2 * 2, 2 * 2 * 2 * (1 + 4)));
        for sample in &samples {
            let own = |row: &&BTreeMap<String, String>| sample_of(row) == sample_of(sample);
            let sum = |rows: &[BTreeMap<String, String>], column: &str| -> f64 {
                rows.iter().filter(own).map(|row| number(&row[column])).sum()
            };
            for column in workers[0].keys().filter(|column| !NO_SUMS.contains(&column.as_str())) {
                // Times are cut to the nanosecond, each by itself.
                let room = if column.ends_with("_s") { 4.1e-9 } else { 0.0 };
                let (sum, whole) = (sum(&workers, column), number(&sample[column]));
                assert!((sum - whole).abs() <= room, "{column}: {sum} is not {whole}");
            }
            for column in ["probes", "hits", "cutoffs"] {
                let whole = number(&sample[&format!("table_{column}")]);
                assert!((sum(&depths, column) - whole).abs() < 0.5, "{column}");
            }
        }
        assert!(depths.iter().all(|row| row["probes"] != "0"));
        let reported = place.read("a/report.md");
        assert!(TABLES.iter().all(|table| reported.contains(table)), "{reported}");
        assert!(reported.contains("\n| quiescence |") && !reported.contains("NaN"), "{reported}");
        let documented = include_str!("../../docs/formats.md");
        for column in workers[0].keys().chain(depths[0].keys()) {
            assert!(documented.contains(&format!("`{column}`")), "{column} is not documented");
        }
    }

    #[test]
    fn an_unfinished_sample_leaves_no_rows_and_fresh_no_files() {
        let place = Place::new();
        let call = format!("{SMALL} --detail --out a");
        place.call(&call).exits(0);
        let files = ["samples.csv", "iterations.csv", "workers.csv", "depths.csv"];
        let whole = files.map(|file| place.read(&format!("a/{file}")));
        // The files look as if the run had been killed while it wrote the depths of the last
        // sample.
        let cut = |file: &str, text: &str| place.write(&format!("a/{file}"), text);
        let last = whole[0].trim_end().rfind('\n').expect("rows") + 1;
        cut("samples.csv", &whole[0][..last]);
        cut("depths.csv", &whole[3][..whole[3].len() - 5]);
        place.call("report a").exits(0);
        assert!(!place.read("a/report.md").contains("Detail missing"), "of an unfinished sample");
        place.call(&call).exits(0).says("a/depths.csv:").says("a/workers.csv: ");
        assert_eq!(files.map(|file| place.read(&format!("a/{file}"))), whole);
        place.call(&format!("{SMALL} --out a")).exits(2).says("(detail: true there, unset here)");
        place.call(&format!("{SMALL} --out a --fresh")).exits(0);
        assert!(!place.path("a/workers.csv").exists() && !place.path("a/depths.csv").exists());
        let reported = place.read("a/report.md");
        assert!(!TABLES.iter().any(|table| reported.contains(table)), "{reported}");
    }

    #[test]
    fn what_is_changed_is_refused_or_left_out() {
        let place = Place::new();
        place.call(&format!("{SMALL} --detail --out a")).exits(0);
        let workers = place.read("a/workers.csv");
        place.write("a/workers.csv", &workers.replacen(",0,", ",none,", 1));
        place.call("report a").exits(0).says("a/workers.csv:2: column `worker` holds `none`");
        let first_row = workers.find('\n').expect("a header") + 1;
        let (header, rows) = workers.split_at(first_row);
        place.write("a/workers.csv", &format!("{header}{}", rows.replacen(",0,", ",0,9", 1)));
        place.call("report a").exits(0);
        let reported = place.read("a/report.md");
        assert!(reported.contains("do not add up to the rows of 1 sample."), "{reported}");
        // Without the files it is the report of an experiment without detail.
        std::fs::remove_file(place.path("a/workers.csv")).expect("removed");
        std::fs::remove_file(place.path("a/depths.csv")).expect("removed");
        place.call("report a").exits(0);
        let without = place.read("a/report.md");
        assert!(!TABLES.iter().any(|table| without.contains(table)), "{without}");
        let experiment = place.read("a/experiment.toml");
        place.write("a/experiment.toml", &experiment.replacen("detail = true\n", "", 1));
        assert_ne!(place.read("a/experiment.toml"), experiment);
        place.call("report a").exits(0);
        assert_eq!(place.read("a/report.md"), without);
        place.write("wrong.toml", "depth = 3\ndetail = \"yes\"\n");
        place.call("run wrong.toml").exits(2).says("wrong.toml:2: detail: ");
    }
}

/// `ttd run --until`.
mod until {
    use crate::common::Place;

    /// A small run, without the option that says when it ends.
    const SMALL: &str =
        "run --cores virtual --threads 1,3 --depth 5 --only 1,2 --hash 1 --searchers ybwc";
    /// The number of samples in a round.
    const IN_ROUND: usize = 2 * 2;

    fn rounds(place: &Place, dir: &str) -> usize {
        let samples = place.read(&format!("{dir}/samples.csv")).lines().count() - 1;
        assert!(samples.is_multiple_of(IN_ROUND), "{samples}");
        samples / IN_ROUND
    }

    /// The relative width of the interval, from the derived figures of the report.
    fn width(place: &Place, dir: &str) -> f64 {
        let summary = place.read(&format!("{dir}/summary.csv"));
        let mut reader = csv::Reader::from_reader(summary.as_bytes());
        let row = reader.deserialize::<std::collections::HashMap<String, String>>().last();
        let row = row.expect("rows").expect("a row");
        let figure = |column: &str| row[column].parse::<f64>().expect("known");
        let ends = ["geometric_mean_ci_runs_upper", "geometric_mean_ci_runs_lower"].map(figure);
        (ends[0] - ends[1]) / figure("geometric_mean")
    }

    #[test]
    fn a_run_ends_at_the_first_look_that_finds_it_narrow() {
        let place = Place::new();
        // The widths after 6 and 12 rounds, and a width between the two.
        for rounds in [6, 12] {
            place.call(&format!("{SMALL} --runs {rounds} --out fixed-{rounds}")).exits(0);
        }
        let (at_6, at_12) = (width(&place, "fixed-6"), width(&place, "fixed-12"));
        assert!(at_12 < at_6, "choose other positions: {at_6} and {at_12}");
        let percent = format!("{:.3}%", 50.0 * (at_6 + at_12));
        let call = format!("{SMALL} --until {percent}");
        let called = place.call(&format!("{call} --out a --jobs 2")).exits(0);
        let called = called.says("looks after 6, 12, 24, 48, 96\n");
        let called = called.says("samples     24 before the next look, 384 at most\n");
        let called = called.says("ttd: 6 rounds: the widest ci_runs (ybwc x 3) is ");
        called.says("ttd: 12 rounds: the widest ci_runs (ybwc x 3) is ");
        assert_eq!(rounds(&place, "a"), 12);
        for file in ["samples.csv", "iterations.csv", "summary.csv", "speedups.csv"] {
            let fixed = place.read(&format!("fixed-12/{file}"));
            assert_eq!(place.read(&format!("a/{file}")), fixed, "{file}");
        }
        let experiment = place.read("a/experiment.toml");
        assert!(experiment.contains("\nruns = 96\nuntil = 0."), "{experiment}");
        let report = place.read("a/report.md");
        assert!(
            report.contains("**Adaptive.**") && !report.contains("**Unfinished.**"),
            "{report}"
        );
        assert!(report.contains("the run stopped after 12 rounds, of 96 at most"), "{report}");
        assert!(report.contains("| runs | 12: until every ci_runs is narrower than "), "{report}");
        assert!(report.contains("up to 12 a cell"), "{report}");

        // A finished run has nothing left to do, and changes nothing.
        let samples = place.read("a/samples.csv");
        place
            .call("run a/experiment.toml --out a")
            .exits(0)
            .says("samples     48, all done already\n");
        let dry = place.call("run a/experiment.toml --out a --dry-run").exits(0);
        dry.says("nothing is left to measure");
        assert_eq!(place.read("a/samples.csv"), samples);
        let compared = place.call("compare a a").exits(0);
        assert!(!compared.out.contains("Unfinished"), "{}", compared.out);

        // A run that was killed between two looks goes on to equal bytes.
        let some: Vec<&str> = samples.lines().take(1 + 8 * IN_ROUND + 1).collect();
        place.write("a/samples.csv", &(some.join("\n") + "\n"));
        let report = place.call("report a").exits(0);
        assert!(report.out.contains("a/report.md"));
        assert!(place.read("a/report.md").contains("**Unfinished.** 33 of 48 samples"));
        let compared = place.call("compare a a").exits(0);
        assert!(compared.out.contains("BASE has 33 of 48 samples"), "{}", compared.out);
        place
            .call("run a/experiment.toml --out a")
            .exits(0)
            .says("48 before the next look, 384 at");
        assert_eq!(place.read("a/samples.csv"), samples);
    }

    #[test]
    fn the_cap_ends_it_too_and_the_report_says_so() {
        let place = Place::new();
        let call = format!("{SMALL} --until 0.1% --runs 7 --out a");
        place
            .call(&call)
            .exits(0)
            .says("looks after 6, 7\n")
            .says("samples     24 before the next look");
        assert_eq!(rounds(&place, "a"), 7);
        let report = place.read("a/report.md");
        assert!(
            report.contains("the run reached its cap of 7 rounds, and not every interval"),
            "{report}"
        );
        assert!(!report.contains("**Unfinished.**"), "{report}");
        assert!(report.contains("rounds for 1% (estimate)"), "{report}");
    }

    #[test]
    fn what_is_open_goes_to_the_cap() {
        let place = Place::new();
        let call = "run --cores virtual --threads 1,2 --depth 30 --only 1 --hash 1 --time-limit 0.002 \
                --searchers ybwc --until 5% --runs 8 --out a";
        place.call(call).exits(0).says("ttd: 6 rounds: the ci_runs of ybwc x 2 is open");
        let report = place.read("a/report.md");
        assert!(
            report.contains("the run reached its cap of 8 rounds") && report.contains("is open"),
            "{report}"
        );
    }

    #[test]
    fn changed_costs_have_as_many_rounds() {
        let place = Place::new();
        let call = format!("{SMALL} --until 100% --out a --sensitivity --jobs 2")
            .replace("1,2 --hash", "1 --hash");
        place.call(&call).exits(0).says("sensitivity 1 of");
        let varied = place.read("a/sensitivity/wake_ps-halved/experiment.toml");
        assert!(varied.contains("\nruns = 6\n") && !varied.contains("\nuntil = "), "{varied}");
        assert!(place.read("a/report.md").contains("## If things cost something else"));
        place.call(&call).exits(0).says("nothing is left to measure");
    }

    #[test]
    fn what_cannot_be_waited_for_is_refused() {
        let place = Place::new();
        place.write(
            "still.toml",
            "cores = \"virtual\"\nuntil = 0.03\n[virtual]\njitter_permille = 0\n",
        );
        place.write("text.toml", "runs = 10\nuntil = \"3%\"\n");
        for (arguments, message) in [
            ("run --until 3", "a percentage such as 3% expected"),
            ("run --until -3%", "--until: -0.03 found, 0.001 to 1 expected (0.1% to 100%)"),
            ("run --until 3% --threads 1", "--until: there is no speedup to wait for"),
            ("run --until 3% --runs 4", "--runs: 4 found, 6 or more expected"),
            ("run still.toml", "still.toml:2: until: with jitter_permille = 0 every run of a cell"),
            ("run text.toml", "text.toml:2: until: invalid type: string \"3%\", expected a number"),
        ] {
            place.call(arguments).exits(2).says(message);
            assert!(!place.path("results").exists(), "{arguments}: nothing is made");
        }
    }
}

/// `ttd run --pin`: the processors of workers.
mod pin {
    use crate::common::Place;
    use std::path::Path;
    use ttd_search::cores::affinity;

    const SMALL: &str = "run --threads 1 --depth 2 --only 1 --runs 1 --hash 1 --searchers ybwc";

    fn processors(place: &Place) -> Vec<i64> {
        let experiment: toml::Table = place.read("a/experiment.toml").parse().expect("TOML");
        let list = experiment["pin"].as_array().expect("an array");
        list.iter().filter_map(toml::Value::as_integer).collect()
    }

    #[test]
    fn processors_stay_in_their_order() {
        let Some([first, second]) = affinity::two() else { return };
        let place = Place::new();
        place.call(&format!("{SMALL} --pin {second},{first},{second} --out a")).exits(0);
        assert_eq!(processors(&place), [second as i64, first as i64]);
        place.call("run a/experiment.toml --out a").exits(0);
        place.call(&format!("{SMALL} --pin core --out b")).exits(2).says("or the word cores");
    }

    #[test]
    fn the_word_cores_is_written_as_a_list() {
        let place = Place::new();
        let called = place.call(&format!("{SMALL} --pin cores --out a"));
        if Path::new("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list").exists() {
            called.exits(0);
            let list = processors(&place);
            assert!(!list.is_empty());
            let [first, second] = affinity::two().unwrap_or([list[0] as usize; 2]);
            assert!([first, second].iter().all(|one| list.contains(&(*one as i64))), "{list:?}");
        } else {
            called.exits(2).says("the system does not tell");
        }
        place.call("run --pin cores --shard 1/2").exits(2).says("a list expected");
        place.call("run --cores virtual --pin cores").exits(2).says("--pin: processors found");
    }
}
