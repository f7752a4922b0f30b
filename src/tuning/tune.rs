//! From games to weights.

use super::examples::Examples;
use super::games::RecordedGame;
use super::likelihood::{Losses, Search, likeliest_scale, losses};
use super::linear::Linear;
use ttd_search::engine::{Slot, Weights};

/// How far a number that is no value in centipawns but a part of one (the danger of an attacked square, 64ths) is expected
/// to lie from the program's own, beside one that is.
const PARTS: f64 = 0.1;

/// How often at most the linear forms are made again near the weights found.
const RENEWALS: usize = 2;

/// How weights are found.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Up to so many positions are taken of each game.
    pub positions: usize,
    /// How far a weight is expected to lie from the program's own, in centipawns: the standard deviation of a normal
    /// distribution. Each is tried, and that which forecasts the games held out best is taken.
    pub spreads: Vec<f64>,
    /// Of every random choice.
    pub seed: u64,
    /// How many threads compute; the result does not depend on it.
    pub threads: usize,
}

/// What one spread gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The spread, centipawns; 0 for the program's own weights.
    pub spread: f64,
    /// How the weights forecast the games that they are from.
    pub training: Losses,
    /// How they forecast the games held out.
    pub validation: Losses,
}

/// Weights, and what is known of them.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The weights.
    pub weights: Weights,
    /// The scale of the forecasts: K in 1 / (1 + 10^(-K v / 400)) for a value of v centipawns.
    pub k: f64,
    /// The program's own weights, each spread, and the best spread again with the linear forms made anew.
    pub trials: Vec<Trial>,
    /// Which of the trials the weights are from: it forecasts the games held out best.
    pub best: usize,
    /// What was learnt from, and what was held out.
    pub sides: [Side; 2],
}

/// How much was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Games with a position that was taken.
    pub games: usize,
    /// Positions.
    pub positions: usize,
}

/// Why there are no weights.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// A side of the split is empty.
    #[error(
        "too few games: {games}, with {positions} quiet positions: expected some from at least five beginnings"
    )]
    TooFew {
        /// How many games were given.
        games: usize,
        /// How many positions of them are quiet.
        positions: usize,
    },
}

/// The weights under which the results of these games are likeliest, beginning with the program's own. `tried` hears of
/// every trial.
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

    /// The first of those that forecast the games held out best.
    fn best(&self) -> usize {
        let loss = |&i: &usize| self.rows[i].validation.logistic;
        (0..self.rows.len()).min_by(|a, b| loss(a).total_cmp(&loss(b))).unwrap_or(0)
    }
}

/// The likeliest weights, in whole numbers, if they are expected so far from the program's own.
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
        // All positions of a game tell of one result.
        weight: training.games as f64 / training.positions.len() as f64,
        expected: &expected,
        spread: &spreads(&own, spread),
        threads,
    };
    let numbers: Vec<i32> = search.likeliest().iter().map(|number| number.round() as i32).collect();
    Weights::of_numbers(&numbers)
}

/// How far each number is expected to lie from the program's own.
fn spreads(weights: &Weights, spread: f64) -> Vec<f64> {
    let mut weights = weights.clone();
    let slots = weights.slots().into_iter().flat_map(|(_, slot)| match slot {
        Slot::Tapers(tapers) => vec![spread; 2 * tapers.len()],
        Slot::Numbers(numbers) => vec![spread * PARTS; numbers.len()],
    });
    slots.collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_boards::{from_sets, legal_moves};
    use super::*;
    use cozy_chess::Color;
    use ttd_search::engine::{Board, Move, Piece};

    /// Games of a few quiet moves from the positions of the sets, which the side with more pawns wins.
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
        // In these games nothing but pawns counts.
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
