//! Equal quality: the time that a search needs for moves as good.

pub(crate) mod rows;

use crate::quality::{CAP, Judge};
use crate::report::columns::{Value, columns};
use crate::report::numbers::{
    count, fixed, interval, known, percents, ratio, with_interval, words_if,
};
use crate::report::topics::summary::starred;
use crate::report::{Report, Source, Table, Topic, file};
use rows::{EqualQuality, EqualRow, Losses};
use ttd_stats::Bounds;
use ttd_stats::assay::{Assay, Figure, PARALLEL, Parallel};
use ttd_stats::fieller::Fieller;

/// The topic. It is empty if no moves were judged.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[
        file!("assay.csv", columns, Table::filled, |of| all(of)),
        file!("assay-variants.csv", columns, Table::filled, |of| variants(of)),
    ],
    charts: &[],
    section: |report, of| {
        if let Some(of) = &of.input.equal_quality {
            section(report, of);
        }
    },
};

fn all(of: &Source) -> &[EqualRow] {
    of.input.equal_quality.as_ref().map_or(&[], |of| &of.rows)
}

fn variants(of: &Source) -> &[EqualRow] {
    of.input.equal_quality.as_ref().map_or(&[], |of| &of.variants)
}

impl EqualRow {
    /// The assay by centipawns.
    fn assay(&self) -> Option<&Assay> {
        self.centipawns.as_ref().ok()
    }

    /// The assay, if its curves are shown to be parallel.
    fn parallel(&self) -> Option<&Assay> {
        self.assay().filter(|of| of.parallel() == Parallel::Shown)
    }

    /// The assay of expected scores, if its own curves are shown to be parallel.
    fn parallel_expected(&self) -> Option<&Assay> {
        self.expected.as_ref().ok().filter(|of| of.parallel() == Parallel::Shown)
    }

    /// The verdict, in a word or two.
    fn verdict(&self) -> String {
        match &self.centipawns {
            Err(why) if self.lacks_moves => format!("no moves of iterations: {why}"),
            Err(why) => why.to_string(),
            Ok(of) => match of.parallel() {
                Parallel::Shown => "parallel",
                Parallel::Open => "not shown to be parallel",
                Parallel::Not => "not parallel",
            }
            .to_owned(),
        }
    }

    /// The greatest (0) or the least (1) common loss, and the ratio of times there.
    fn at_losses(&self, which: usize) -> Option<(f64, Figure)> {
        self.assay().map(|of| of.at_losses[which])
    }

    /// A depth of the curves that count.
    fn depth(&self, curve: usize, end: fn((u8, u8)) -> u8) -> Option<u8> {
        self.assay().map(|of| end(of.depths[curve]))
    }
}

/// The figure with the ends of its set.
fn value(figure: Option<Figure>) -> Value {
    let ends = |set: Fieller| match set {
        Fieller::Between(ends) | Fieller::Outside(ends) => Some(ends),
        Fieller::All => None,
    };
    Value::positions(figure.map(|of| of.value), figure.and_then(|of| ends(of.set)))
}

/// The loss of the cell at the depth asked for less that of the base, with its interval.
fn extra_loss(of: &EqualRow) -> Value {
    let extra = |of: Losses| of.cell - of.base;
    Value::positions(of.losses.map(extra), of.losses.and_then(|of| of.extra))
}

/// The kind of a set, in words.
fn kind(set: Fieller) -> &'static str {
    match set {
        Fieller::Between(_) => "between",
        Fieller::Outside(_) => "outside",
        Fieller::All => "all",
    }
}

columns! {
    /// The columns of `assay.csv`.
    pub(crate) fn columns<'a>(of: &'a EqualRow);

    /// the row: a searcher at a number of threads
    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads", shown starred(of.threads, of.oversubscribed);
    /// positions where every depth that counts is judged, of the cell and of its base; and the
    /// other positions
    Whole "positions" = of.positions, as "positions";
    Whole "left_out" = of.left_out;
    /// geometric mean of the speedups to the depth asked for, as in `summary.csv`
    Ratio "speedup_to_depth" + Positions = Value::from(of.to_depth), as "to depth";
    /// net speedup, as in `summary.csv`
    Ratio "net_speedup" + Positions = Value::from(of.net), as "net";
    /// mean loss of the base's moves and of the cell's at the depth asked for, centipawns
    Ratio "base_loss" = of.losses.map(|of| of.base);
    Ratio "loss" = of.losses.map(|of| of.cell);
    /// `loss` - `base_loss`, with Student's interval of the differences at each position
    Ratio "extra_loss" + Positions = extra_loss(of), as "extra loss";
    /// time of the base / time of the cell, at equal loss in centipawns: exp((a_N - a_1) / b). Each
    /// loss is a + b ln(time), with a common slope b. The ends are Fieller's
    Ratio "equal_quality" + Positions = value(of.assay().map(|of| of.equal)), as "equal quality";
    /// the set that the ends bound: `between` them, `outside` them (two rays), or `all` ratios
    Words "set" = of.assay().map_or("", |of| kind(of.equal.set));
    /// `parallel` if `slopes` lies within 0.8 to 1.25 with its interval; else the report refuses
    /// the figure
    Words "verdict" = of.verdict();
    /// geometric mean of the base's times / the cell's over the depths that both use
    Ratio "to_common_depths" + Positions = value(of.assay().and_then(|of| of.to_depth)), as "to these depths";
    /// `equal_quality` / `to_common_depths`: below 1 the moves are worse at equal depth
    Three "quality" + Positions = value(of.assay().and_then(|of| of.quality)), as "quality";
    /// first and last depth of the base and of the cell whose losses the other one has too
    Whole "base_first_depth" = of.depth(0, |ends| ends.0);
    Whole "base_last_depth" = of.depth(0, |ends| ends.1);
    Whole "first_depth" = of.depth(1, |ends| ends.0);
    Whole "last_depth" = of.depth(1, |ends| ends.1);
    /// b: centipawns of loss that e times the time changes
    Three "slope" = of.assay().map(|of| of.slope);
    /// slope of the cell / slope of the base, each fitted alone
    Three "slopes" + Positions = value(of.assay().map(|of| of.slopes)), as "slopes";
    /// slope at the longest time / slope at the shortest, by one parabola for both: 1 is straight
    Three "curvature" = of.assay().and_then(|of| of.curvature);
    /// `equal_quality` by that parabola
    Ratio "equal_quality_bent" = of.assay().and_then(|of| of.bent), as "by a parabola";
    /// the greatest and the least loss that both curves have, and the ratio of times there by lines
    /// with slopes of their own. The ends are expanded percentiles; they may be 0 and `inf`
    Three "most_loss" = of.at_losses(0).map(|(loss, _)| loss);
    Ratio "at_most_loss" + Positions = value(of.at_losses(0).map(|(_, figure)| figure));
    Three "least_loss" = of.at_losses(1).map(|(loss, _)| loss);
    Ratio "at_least_loss" + Positions = value(of.at_losses(1).map(|(_, figure)| figure));
    /// standard error of ln(`equal_quality`)
    Three "log_error" = of.assay().map(|of| of.error);
    /// `equal_quality` and `slopes` with losses of expected score
    Ratio "equal_expected" + Positions = value(of.expected.as_ref().ok().map(|of| of.equal)), as "by expected score";
    Three "slopes_expected" + Positions = value(of.expected.as_ref().ok().map(|of| of.slopes));
}

/// A figure and its set, in words.
fn in_words(figure: Figure) -> String {
    let number = ratio(figure.value);
    match figure.set {
        Fieller::Between(ends) => with_interval(number, Some(ends), ratio),
        Fieller::Outside(ends) => format!(
            "{number} (two rays: up to {}, and from {} on)",
            ratio(ends.lower),
            ratio(ends.upper)
        ),
        Fieller::All => format!("{number} (no bounds: every ratio is possible)"),
    }
}

/// The row in words: what came out, or why there is no figure.
pub(crate) fn told(row: &EqualRow) -> String {
    let of = format!("**{} at {}**", row.searcher, count(row.threads, "thread"));
    let Ok(assay) = &row.centipawns else {
        return format!("{of}: no figure, because {}.{}", row.verdict(), at_depth(row));
    };
    let slopes = in_words(assay.slopes);
    let bend = known(assay.curvature, ratio);
    let bent = known(assay.bent, ratio);
    let curvature = format!(
        "The slope at the longest time is {bend} of that at the shortest; one parabola for both \
         would give {bent}."
    );
    let at = |(loss, figure): (f64, Figure)| {
        format!("{} at a loss of {} centipawns", in_words(figure), fixed(loss, 1))
    };
    let [most, least] = assay.at_losses.map(at);
    let at_depth = at_depth(row);
    match assay.parallel() {
        Parallel::Shown => format!(
            "{of}: {} times as fast for moves as good. Slopes: {slopes}. {curvature}{at_depth}",
            in_words(assay.equal)
        ),
        parallel => format!(
            "{of}: refused. The ratio of the slopes, {slopes}, {} within {} to {}. So the ratio of \
             times depends on the loss. By lines of their own it is {most}, and {least}. \
             {curvature}{at_depth}",
            if parallel == Parallel::Not { "does not lie" } else { "is not shown to lie" },
            PARALLEL.lower,
            PARALLEL.upper
        ),
    }
}

/// The mean losses at the depth asked for.
fn at_depth(row: &EqualRow) -> String {
    let words = |Losses { base, cell, extra }: Losses| {
        let [base, cell, more] = [base, cell, cell - base].map(|of| fixed(of, 2));
        let more = with_interval(more, extra, |of| fixed(of, 2));
        format!(
            " At the depth asked for its moves lose {cell} centipawns, and those of the base \
             {base}. The extra loss is {more}."
        )
    };
    row.losses.map(words).unwrap_or_default()
}

/// The words about the judge, in front of the figures.
pub(crate) fn about(of: &EqualQuality) -> String {
    let own = Judge::is_own(&of.judge);
    format!(
        "{} judged the moves. One search of {} nodes, from an empty table, values all that anybody \
         found in a position ({} in `judged.csv`). The loss of a move is the best value less its \
         own, {CAP} centipawns at most.{}",
        of.judge,
        of.nodes,
        count(of.judged, "position"),
        words_if(
            own,
            " That is this program's own engine, which may like its own moves: another judge is \
             better."
        )
    )
}

fn section(report: &mut Report<'_>, of: &EqualQuality) {
    if of.rows.is_empty() && of.variants.is_empty() {
        return;
    }
    report.heading(2, "Equal quality");
    report.paragraph(&format!(
        "How much sooner are moves as good found? {} Over the deeper half of the depths, mean loss \
         and mean logarithm of time make a curve for each number of threads. Two such curves are \
         taken for parallel lines, and their distance along the time is the ratio of times at \
         equal loss. It is refused where parallel lines are not shown: see `docs/equal-quality.md`.",
        about(of)
    ));
    report.list(of.rows.iter().map(told));
    if of.unusable > 0 {
        report.paragraph(&format!(
            "{} of `judged.csv` cannot be used, and is left out.",
            count(of.unusable, "row")
        ));
    }
    if of.rows.is_empty() {
        return beside_reference(report, of);
    }
    report.table(
        "Speedup to the depth asked for, net speedup, and the ratio of times at equal quality, \
         with 95% intervals over positions (Fieller's). Equal quality is the speedup to these \
         depths times the factor of quality. At the most and the least common loss the lines have \
         slopes of their own. Expected score is the other scale of losses. * \
         oversubscribed.",
        &shown().whole_table(&of.rows),
    );
    beside_reference(report, of);
}

/// The variants, each beside the reference at as many threads.
fn beside_reference(
    report: &mut Report<'_>,
    EqualQuality { reference, variants, .. }: &EqualQuality,
) {
    if variants.is_empty() {
        return;
    }
    report.heading(3, &format!("Variants beside {reference}"));
    report.table(
        &format!(
            "The ratio of times at equal quality, with {reference} at as many threads as the base: \
             above 1 the variant is faster. Its interval is over positions (Fieller's). To these \
             depths is the ratio of times at equal depth. At the most and the least common loss the \
             lines have slopes of their own."
        ),
        &compared().whole_table(variants),
    );
}

/// The ends of a set that has two.
fn ends(figure: Option<Figure>) -> Option<Bounds> {
    figure.and_then(|of| of.set.between())
}

columns! {
    /// The table of variants.
    pub(crate) fn compared<'a>(of: &'a EqualRow);

    Words "searcher" = of.searcher.as_str(), as "variant";
    Whole "threads" = of.threads, as "threads", shown starred(of.threads, of.oversubscribed);
    Ratio "" = of.parallel().map(|of| of.equal.value), as "equal quality";
    Words "" = interval(ends(of.parallel().map(|of| of.equal)), ratio), as "ci_positions";
    Words "" = known(of.assay().and_then(|of| of.to_depth), in_words), as "to these depths";
    Words "" = known(of.at_losses(0), |(_, of)| in_words(of)), as "at most loss";
    Words "" = known(of.at_losses(1), |(_, of)| in_words(of)), as "at least loss";
    Words "" = known(of.assay(), |of| in_words(of.slopes)), as "slopes";
    Words "verdict" = of.verdict(), as "verdict";
}

columns! {
    /// The table of the report.
    pub(crate) fn shown<'a>(of: &'a EqualRow);

    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads", shown starred(of.threads, of.oversubscribed);
    Ratio "to_depth" = Value::from(of.to_depth), as "to depth";
    Ratio "net" = Value::from(of.net), as "net";
    Ratio "equal_quality" = of.parallel().map(|of| of.equal.value), as "equal quality";
    Words "" = interval(ends(of.parallel().map(|of| of.equal)), ratio), as "ci_positions";
    Words "" = known(of.parallel().and_then(|_| relative_width(of)), percents), as "width";
    Ratio "" = of.assay().and_then(|of| of.to_depth).map(|of| of.value), as "to these depths";
    Ratio "" = of.parallel().and_then(|of| of.quality).map(|of| of.value), as "quality";
    Words "" = interval(ends(of.parallel().and_then(|of| of.quality)), ratio), as "its ci";
    Words "" = known(of.at_losses(0), |(_, of)| in_words(of)), as "at most loss";
    Words "" = known(of.at_losses(1), |(_, of)| in_words(of)), as "at least loss";
    Ratio "" = of.assay().map(|of| of.slopes.value), as "slopes";
    Words "" = interval(ends(of.assay().map(|of| of.slopes)), ratio), as "their ci";
    Words "" = known(of.parallel_expected(), |of| in_words(of.equal)), as "by expected score";
    Words "verdict" = of.verdict(), as "verdict";
}

/// The width of the interval at equal quality, over the figure.
pub(crate) fn relative_width(of: &EqualRow) -> Option<f64> {
    let equal = of.assay()?.equal;
    ends(Some(equal)).map(|ends| (ends.upper - ends.lower) / equal.value)
}
