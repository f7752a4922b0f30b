//! From games to weights.

use super::examples::Examples;
use super::games::RecordedGame;
use super::likelihood::{Losses, Search, likeliest_scale, losses};
use super::linear::{Linear, each};
use ttd_search::engine::Weights;

/// The expected distance from the program's own number, relative to a weight in centipawns. It is
/// for a number that is only a part of a value, such as the danger of an attacked square, in 64ths.
const PARTS: f64 = 0.1;

/// The most times that the linear forms are computed again, near the weights found.
const RENEWALS: usize = 2;

/// The settings of a tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The most positions that are taken of one game.
    pub positions: usize,
    /// The distances at which a weight is expected from the program's own, in centipawns. Each is
    /// the standard deviation of a normal distribution. All are tried; the best is the one whose
    /// weights forecast the held-out games best.
    pub spreads: Vec<f64>,
    /// The seed of every random choice.
    pub seed: u64,
    /// The number of threads; the result does not depend on it.
    pub threads: usize,
}

/// The result of one spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The spread, centipawns; 0 for the program's own weights.
    pub spread: f64,
    /// The losses on the games that the weights were learnt from.
    pub training: Losses,
    /// The losses on the held-out games.
    pub validation: Losses,
}

/// Weights, and the way to them.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The weights.
    pub weights: Weights,
    /// K, the scale of the forecasts: `1 / (1 + 10^(-K v / 400))` for a value of v centipawns.
    pub k: f64,
    /// The trials: the program's own weights, each spread, and the best spread again with the
    /// linear forms computed anew.
    pub trials: Vec<Trial>,
    /// The index of the trial that the weights are from. It forecasts the held-out games best.
    pub best: usize,
    /// The examples learnt from, and the held-out ones.
    pub sides: [Side; 2],
}

/// The size of one part of the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Games of which a position was taken.
    pub games: usize,
    /// Positions.
    pub positions: usize,
}

/// The reasons why there are no weights.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// A part of the examples is empty.
    #[error(
        "too few games: {games}, with {positions} quiet positions: expected some from at least five beginnings"
    )]
    TooFew {
        /// The number of games given.
        games: usize,
        /// The number of their quiet positions.
        positions: usize,
    },
}

/// Finds the weights under which the results of these games are likeliest, beginning with the
/// program's own. Each trial is passed to `tried`.
///
/// # Errors
/// If there are too few games to hold some out.
pub fn tune(
    games: &[RecordedGame],
    recipe: &Recipe,
    tried: impl FnMut(&Trial),
) -> Result<Tuned, TuneError> {
    let sides = Examples::choose(games, recipe.positions, recipe.seed);
    let [training, validation] = &sides;
    if training.positions.is_empty() || validation.positions.is_empty() {
        let positions = training.positions.len() + validation.positions.len();
        return Err(TuneError::TooFew { games: games.len(), positions });
    }
    let scale = likeliest_scale(&training.positions, &Weights::own());
    let mut trials = Trials { sides: &sides, scale, tables: Vec::new(), rows: Vec::new(), tried };
    trials.add(0.0, Weights::own());
    let linear = Linear::near(&Weights::own(), &training.positions, recipe.threads);
    for &spread in &recipe.spreads {
        trials.add(spread, likeliest(training, &linear, spread, scale, recipe.threads));
    }
    drop(linear);
    for _ in 0..RENEWALS {
        let best = trials.best();
        let spread = trials.rows[best].spread;
        if spread <= 0.0 {
            break;
        }
        let linear = Linear::near(&trials.tables[best], &training.positions, recipe.threads);
        let weights = likeliest(training, &linear, spread, scale, recipe.threads);
        if trials.tables.contains(&weights) {
            break;
        }
        trials.add(spread, weights);
    }
    let best = trials.best();
    let Trials { mut tables, rows: trials, .. } = trials;
    let side = |side: &Examples| Side { games: side.games, positions: side.positions.len() };
    Ok(Tuned {
        weights: tables.swap_remove(best),
        k: scale * 400.0 / std::f64::consts::LN_10,
        trials,
        best,
        sides: sides.each_ref().map(side),
    })
}

/// The tables tried so far.
struct Trials<'a, F> {
    sides: &'a [Examples; 2],
    scale: f64,
    tables: Vec<Weights>,
    rows: Vec<Trial>,
    tried: F,
}

impl<F: FnMut(&Trial)> Trials<'_, F> {
    fn add(&mut self, spread: f64, weights: Weights) {
        let [training, validation] =
            self.sides.each_ref().map(|side| losses(&side.positions, &weights, self.scale));
        let trial = Trial { spread, training, validation };
        (self.tried)(&trial);
        self.rows.push(trial);
        self.tables.push(weights);
    }

    /// The index of the first trial with the least loss on the held-out games.
    fn best(&self) -> usize {
        let loss = |&i: &usize| self.rows[i].validation.logistic;
        (0..self.rows.len()).min_by(|a, b| loss(a).total_cmp(&loss(b))).unwrap_or(0)
    }
}

/// The likeliest weights, rounded to whole numbers, if their expected distance from the program's
/// own is `spread`.
fn likeliest(
    training: &Examples,
    linear: &Linear,
    spread: f64,
    scale: f64,
    threads: usize,
) -> Weights {
    let own = Weights::own();
    let expected: Vec<f64> = own.numbers().into_iter().map(f64::from).collect();
    let search = Search {
        linear,
        examples: &training.positions,
        scale,
        // The positions of one game have one result, so each counts for a part of it.
        weight: training.games as f64 / training.positions.len() as f64,
        expected: &expected,
        spread: &each(&own, spread, spread * PARTS),
        threads,
    };
    let numbers: Vec<i32> = search.likeliest().iter().map(|number| number.round() as i32).collect();
    Weights::of_numbers(&numbers)
}

#[cfg(test)]
mod tests {
    use super::super::test_boards::{from_sets, legal_moves};
    use super::*;
    use cozy_chess::Color;
    use ttd_search::engine::{Board, Move, Piece};

    /// Games of a few quiet moves from the positions of the sets. The side with more pawns wins.
    fn games() -> Vec<RecordedGame> {
        from_sets().into_iter().step_by(4).map(game).collect()
    }

    fn game(start: Board) -> RecordedGame {
        let pawns = |color| start.colored_pieces(color, Piece::Pawn).len() as i32;
        let result =
            f64::midpoint(1.0, f64::from((pawns(Color::White) - pawns(Color::Black)).signum()));
        let mut board = start.clone();
        let mut moves: Vec<Move> = Vec::new();
        while moves.len() < 6 {
            let Some(&mv) = legal_moves(&board).first() else { break };
            board.play(mv);
            moves.push(mv);
        }
        RecordedGame { start, moves, result }
    }

    fn recipe() -> Recipe {
        Recipe { positions: 3, spreads: vec![0.5, 10.0], seed: 1, threads: 2 }
    }

    #[test]
    fn weights_learn_what_wins() {
        let mut heard = 0;
        let tuned = tune(&games(), &recipe(), |_| heard += 1).expect("enough games");
        let [own, _, wide, ..] = tuned.trials.as_slice() else { panic!("{:?}", tuned.trials) };
        assert_eq!((heard, own.spread), (tuned.trials.len(), 0.0));
        assert!(wide.training.logistic < own.training.logistic);
        let best = &tuned.trials[tuned.best];
        assert!(best.validation.logistic < own.validation.logistic, "{:?}", tuned.trials);
        // In these games only pawns count.
        let pawn = |weights: &Weights| weights.numbers()[0];
        assert!(pawn(&tuned.weights) > pawn(&Weights::own()));
        assert!(tuned.sides[0].games > 3 * tuned.sides[1].games && tuned.sides[1].positions > 0);
    }

    #[test]
    fn threads_change_nothing() {
        let games: Vec<RecordedGame> = games().into_iter().step_by(4).collect();
        let numbers = |threads| {
            let tuned = tune(&games, &Recipe { threads, ..recipe() }, |_| ()).expect("enough");
            tuned.weights.numbers()
        };
        assert_eq!(numbers(1), numbers(3));
    }

    #[test]
    fn too_few_games_are_refused() {
        let error = tune(&games()[..3], &recipe(), |_| ()).expect_err("nothing held out");
        assert!(error.to_string().starts_with("too few games: 3, with "), "{error}");
    }
}
