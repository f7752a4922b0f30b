//! Ratings: the likeliest ones, running ones, and their trends over threads.

mod chart;

use crate::matches::{Entry, EntryEngine};
use crate::report::columns::{Value, columns};
use crate::report::lists::{each_once, row};
use crate::report::matches::ratings::Likeliest;
use crate::report::matches::ratings::{RatingLine, Scale};
use crate::report::matches::ratings::{Run, RunGame};
use crate::report::numbers::{fixed, interval, known, words_if};
use crate::report::{File, MatchInput, Name, Picture, Report, Table, Topic, file};
use ttd_stats::elo::Colour;
use ttd_stats::elo::ratings::Rating;

/// The topic.
pub(crate) const TOPIC: Topic<MatchInput> = Topic {
    files: &[
        file!("ratings.csv", ratings, Some, |of| rated(of)),
        File::new(
            "running.csv",
            |of| of.spec().running_rating.as_ref().map(|_| running().file(steps(of))),
            || running().page(),
        ),
        file!("trends.csv", trends, Table::filled, |of| with_ratings(of)),
    ],
    charts: &[
        Picture::only(
            "rating-likeliest",
            "the likeliest ratings by threads with 95% intervals, and their trends",
            |of, setting| chart::charts(setting, of, |s| s == Scale::Likelihood),
        ),
        Picture {
            name: Name::EachK("rating-k"),
            shows: "the running ratings by threads, with their logarithmic trends",
            draw: |of, setting| chart::charts(setting, of, |s| s != Scale::Likelihood),
        },
    ],
    section: |report, of| section(report, of, 2),
};

/// The part of a report whose headings are of this level.
pub(crate) fn section(report: &mut Report<'_>, input: &MatchInput, level: usize) {
    let figures = &input.figures;
    report.heading(level, "Ratings");
    match &figures.likeliest {
        Ok(likeliest) => {
            report.table(&likeliest_caption(likeliest), &likeliest_table(input));
        }
        Err(why) => report.paragraph(&format!("There are no likeliest ratings: {why}.")),
    }
    report.chart(&chart::rating_name(Scale::Likelihood));
    if let Some(terms) = &input.spec().running_rating {
        let caption = format!(
            "The running ratings after the last game. A rating begins at {}, and each game \
             adds K (score − expected score). The opponents follow one another in the order of \
             the match.",
            terms.start
        );
        report.table(&caption, &running_table(&figures.lines));
    }
    let several = figures.lines.iter().filter(|line| line.points.len() > 1);
    report.table(
        "Logarithmic trends of the ratings by threads N, by least squares: rating = slope × ln N + \
         (at one thread). A trend takes three thread counts. Elo a doubling: the gain of each \
         doubling of the threads.",
        &trends().whole_table(several),
    );
    for scale in figures.scales().into_iter().filter(|scale| *scale != Scale::Likelihood) {
        report.chart(&chart::rating_name(scale));
    }
}

fn likeliest_caption(likeliest: &Likeliest) -> String {
    let (some, them) = match likeliest.anchors {
        1 => ("One rating is", "it"),
        _ => ("Some ratings are", "them"),
    };
    let zero = if likeliest.anchors > 0 {
        format!(
            "{some} given; the others, and their 95% intervals, are relative to {them}, which the \
             intervals take as exact."
        )
    } else {
        "No rating is given, so their mean is 0; only differences mean something.".to_owned()
    };
    let drawn = words_if(
        likeliest.virtual_pairs > 0,
        " An entry won or lost everything. Two virtual draws were therefore added to each \
         encounter: without them no finite rating is the likeliest.",
    );
    format!("The ratings under which the results of all games are likeliest. {zero}{drawn}")
}

/// An entry, and its likeliest rating.
pub(crate) struct Rated<'a> {
    input: &'a MatchInput,
    entry: usize,
    rating: Option<Rating>,
}

impl<'a> Rated<'a> {
    /// An entry.
    pub(crate) fn of(input: &'a MatchInput, entry: usize) -> Rated<'a> {
        let likeliest = input.figures.likeliest.as_ref().ok();
        Rated { input, entry, rating: likeliest.and_then(|all| all.entries[entry]) }
    }

    fn spec(&self) -> &'a Entry {
        &self.input.spec().entries[self.entry]
    }

    fn elo(&self) -> Option<f64> {
        self.rating.map(|rating| rating.elo)
    }

    fn interval(&self) -> String {
        match self.rating {
            Some(rating) if rating.interval.is_exact() => "given".to_owned(),
            rating => interval(rating.map(|rating| rating.interval), |elo| fixed(elo, 0)),
        }
    }
}

/// Every entry.
fn rated(input: &MatchInput) -> impl Iterator<Item = Rated<'_>> {
    (0..input.spec().entries.len()).map(|entry| Rated::of(input, entry))
}

/// The entries that have a rating, the best first.
fn likeliest_table(input: &MatchInput) -> Vec<Vec<String>> {
    let mut best: Vec<Rated<'_>> = rated(input).filter(|of| of.rating.is_some()).collect();
    best.sort_by(|a, b| b.elo().unwrap_or(0.0).total_cmp(&a.elo().unwrap_or(0.0)));
    ratings().table(best, "entry, games, win rate, rating, 95% interval")
}

/// The searcher of an entry; of outside engines blank.
fn searcher(entry: &Entry) -> &'static str {
    match &entry.engine {
        EntryEngine::Own { searcher, .. } => searcher.name(),
        EntryEngine::Outside(_) => "",
    }
}

columns! {
    /// The columns of `ratings.csv`.
    pub(crate) fn ratings<'a>(of: Rated<'a>);

    /// the entry
    Words "entry" = of.spec().name.as_str(), as "entry", shown of.input.starred(of.entry);
    /// its searcher (blank for an outside engine) and threads
    Words "searcher" = searcher(of.spec());
    Whole "threads" = of.spec().threads;
    /// its games
    Whole "games" = of.input.figures.table.total(of.entry).total().games(), as "games";
    Tenths "" = of.input.figures.table.total(of.entry).total().score(), as "win rate";
    /// the `rating` of match.toml
    Whole "given" = of.spec().rating;
    /// the likeliest rating
    Whole "rating" = of.elo(), as "rating";
    Words "" = of.interval(), as "95% interval";
    /// its 95% interval (errors by the sandwich over pairs of games)
    Whole "ci" only Bare = Value::runs(of.elo(), of.rating.map(|rating| rating.interval)), tex "Rating";
}

/// One game of a running rating.
struct Step<'a> {
    input: &'a MatchInput,
    run: &'a Run,
    /// From 1.
    number: usize,
    game: &'a RunGame,
}

fn steps(input: &MatchInput) -> impl Iterator<Item = Step<'_>> {
    input.figures.runs.iter().flat_map(move |run| {
        let games = (1..).zip(&run.games);
        games.map(move |(step, game)| Step { input, run, number: step, game })
    })
}

impl<'a> Step<'a> {
    fn entry(&self) -> &'a Entry {
        &self.input.spec().entries[self.run.entry]
    }
}

columns! {
    /// The columns of `running.csv`.
    fn running<'a>(of: Step<'a>);

    /// the entry that has the rating, its searcher (blank for an outside engine) and threads
    Words "entry" = of.entry().name.as_str();
    Words "searcher" = searcher(of.entry());
    Whole "threads" = of.entry().threads;
    /// how far one game moves it
    Whole "k" = of.run.k;
    /// from 1
    Whole "step" = of.number;
    /// of `games.csv`
    Whole "game" = of.game.game;
    /// its opponent, and the rating of that
    Words "opponent" = of.input.name(of.game.opponent);
    Whole "opponent_rating" = of.game.rating;
    /// its colour, and the points that it got
    Words "colour" = if of.game.colour == Colour::White { "white" } else { "black" };
    One "points" = of.game.outcome.points();
    /// before the game and after it
    Whole "rating_before" = of.run.ratings[of.number - 1];
    Whole "rating" = of.run.ratings[of.number];
}

/// Why a series has no trend.
const FEW_THREADS: &str = "not enough thread counts";

fn k(line: &RatingLine) -> Option<f64> {
    match line.scale {
        Scale::Likelihood => None,
        Scale::Running(k) => Some(k),
    }
}

/// The series that have ratings.
fn with_ratings(input: &MatchInput) -> impl Iterator<Item = &RatingLine> {
    input.figures.lines.iter().filter(|line| !line.points.is_empty())
}

columns! {
    /// The columns of `trends.csv`.
    pub(crate) fn trends<'a>(of: &'a RatingLine);

    /// the series that has the ratings
    Words "series" = of.series.as_str(), as "searcher";
    /// `likeliest` or `running`, and of the latter the K
    Words "rating" = if k(of).is_some() { "running" } else { "likeliest" }, as "rating", shown of.scale.words();
    Whole "k" = k(of);
    /// how many there are
    Whole "thread_counts" = of.points.len();
    /// `ok`, or why there is no trend
    Words "status" = of.trend.map_or(FEW_THREADS, |_| "ok");
    /// of the trend, like the next
    Three "slope" = of.trend.map(|trend| trend.slope), as "slope",
        shown of.trend.map_or_else(|| FEW_THREADS.to_owned(), |trend| fixed(trend.slope, 3));
    One "intercept" = of.trend.map(|trend| trend.intercept), as "at one thread";
    /// share of the variance of the ratings that it explains
    Four "r_squared" = of.trend.and_then(|trend| trend.r_squared), as "R²";
    /// `slope` ln 2
    One "elo_per_doubling" = of.trend.map(|trend| trend.gained_per_doubling()), as "Elo a doubling";
}

/// The running ratings in the end: a row a series and thread count, a column a K.
pub(crate) fn running_table(lines: &[RatingLine]) -> Vec<Vec<String>> {
    let ks = each_once(lines.iter().filter_map(k));
    let mut table = vec![row(["searcher", "threads"], ks.iter().map(|k| format!("K = {k}")))];
    let of = |wanted: f64| lines.iter().filter(move |line| line.scale == Scale::Running(wanted));
    for line in ks.first().into_iter().flat_map(|k| of(*k)) {
        for point in &line.points {
            let ratings = ks.iter().map(|k| {
                let same = of(*k).find(|other| other.series == line.series);
                let there = |line: &RatingLine| {
                    line.points.iter().find(|other| other.threads == point.threads).map(|p| p.elo)
                };
                known(same.and_then(there), |elo| fixed(elo, 0))
            });
            table.push(row([&line.series, &point.threads.to_string()], ratings));
        }
    }
    table
}
