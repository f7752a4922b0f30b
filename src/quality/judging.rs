//! The positions of a sweep, judged one after another. Each is written down at once, so that a
//! killed call goes on where it stopped.

use super::found::Found;
use super::judge::{Judge, JudgeError, JudgeSpec};
use super::judged::{JUDGED, Judged, JudgedRow, Values};
use crate::records::{Appended, JournalError, Rows, append, begun};
use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use ttd_search::cores::jobs;
use ttd_search::engine::Move;
use ttd_search::positions::{fen_text, parse_legal_move, uci_text};

/// The reasons why moves cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgingError {
    /// The judge cannot be used.
    #[error("the judge `{0}`: {1}")]
    Judge(String, Box<JudgeError>),
    /// The judge failed in a position.
    #[error("the judge `{judge}`, in the position {position}: {why}")]
    Position {
        /// The name of the judge.
        judge: String,
        /// The id of the position.
        position: String,
        /// The reason.
        why: Box<JudgeError>,
    },
    /// The file of values cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Another process judges in the directory.
    #[error("{0}: another process writes to it")]
    InUse(String),
}

impl JudgingError {
    /// Whether the user named a judge that cannot be used.
    pub fn is_usage(&self) -> bool {
        matches!(self, JudgingError::Judge(..) | JudgingError::Position { .. })
    }
}

/// How far the judging is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// The number of positions that are judged.
    pub judged: usize,
    /// The number of positions that are to be.
    pub of: usize,
}

/// The judging of a results directory.
pub struct Judging {
    /// The name of the judge for its user.
    called: String,
    judges: Vec<Judge>,
    file: Appended,
    /// Holds the lock for as long as this value lives.
    _lock: File,
    judged: Judged,
    /// The rows of this judge in the other directory, and its values.
    others: (HashMap<String, JudgedRow>, Judged),
    repairs: Vec<String>,
}

impl Judging {
    /// Starts as many judges as positions are judged at once, and opens the file of values in
    /// `dir`. Values of that judge in the directory `other` will be used again.
    ///
    /// # Errors
    /// If the judge cannot be used, a file cannot be read, or another process judges there.
    pub fn begin(
        dir: &Path,
        spec: &JudgeSpec,
        jobs: usize,
        other: Option<&Path>,
    ) -> Result<Judging, JudgingError> {
        let called = spec.engine.name.clone();
        let start = |_| {
            Judge::start(spec).map_err(|why| JudgingError::Judge(called.clone(), Box::new(why)))
        };
        let first = start(0)?;
        let more = (1..jobs).map(start).collect::<Result<Vec<Judge>, _>>()?;
        let mut judged = Judged::new(first.name(), spec.nodes);
        let mut others = (HashMap::new(), judged.clone());
        if let Some(other) = other {
            for row in Rows::<JudgedRow>::read(other)?.list {
                if others.1.is_of(&row) {
                    others.1.add(row.clone());
                    others.0.insert(row.fen.clone(), row);
                }
            }
        }
        let path = dir.join(JUDGED);
        let rows = begun::<JudgedRow>(dir)?;
        let lock = append(&path).map_err(|why| JournalError::io(&path, why))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(JudgingError::InUse(path.display().to_string()));
        }
        let mut repairs = Vec::new();
        rows.cut(rows.list.len(), &mut repairs)?;
        let own_last = rows.list.iter().rposition(|row| judged.is_of(row));
        let again = own_last.filter(|at| at + 1 < rows.list.len()).map(|at| rows.list[at].clone());
        rows.list.iter().cloned().for_each(|row| judged.add(row));
        let (mut file, judges) = (rows.append()?, [first].into_iter().chain(more).collect());
        // The last row tells which judge was asked last.
        if let Some(row) = again {
            file.append_row(&row)?;
        }
        Ok(Judging { called, judges, file, _lock: lock, judged, others, repairs })
    }

    /// The repairs of the file, in words for the user.
    pub fn repairs(&self) -> &[String] {
        &self.repairs
    }

    /// The values so far.
    pub fn judged(&self) -> &Judged {
        &self.judged
    }

    /// Judges the positions that have a move without a value, each with all of its moves, also
    /// those that have one. Values that the other directory has are written down first. `tell` is
    /// told of each position. Returns whether all are judged: an `interrupt` ends it.
    ///
    /// # Errors
    /// If the judge fails, or the file cannot be written.
    pub fn judge(
        &mut self,
        all: &[Found<'_>],
        interrupt: &AtomicBool,
        mut tell: impl FnMut(Told),
    ) -> Result<bool, JudgingError> {
        let Judging { called, judges, file, judged, others, .. } = self;
        for found in all.iter().filter(|found| others.1.knows(found)) {
            let row = others.0.get(&fen_text(&found.of.board));
            if let Some(row) = row.filter(|_| !judged.knows(found)) {
                let row = JudgedRow { position: found.of.id.clone(), ..row.clone() };
                file.append_row(&row)?;
                judged.add(row);
            }
        }
        let todo: Vec<(&Found<'_>, Vec<Move>)> = all
            .iter()
            .filter(|found| !judged.knows(found))
            .map(|found| (found, with_known(found, judged)))
            .collect();
        let job = |judge: &mut Judge, at: usize| {
            let (found, moves) = &todo[at];
            judged_row(judge, found, moves, interrupt)
                .map_err(|why| JudgingError::Position {
                    judge: called.clone(),
                    position: found.of.id.clone(),
                    why: Box::new(why),
                })
                .transpose()
        };
        let mut told = Told { judged: all.len() - todo.len(), of: all.len() };
        jobs::in_order(judges, todo.len(), job, |_, row| {
            let row = row?;
            file.append_row(&row)?;
            judged.add(row);
            told.judged += 1;
            tell(told);
            Ok(())
        })
    }
}

/// The row of a position; none if it was interrupted.
fn judged_row(
    judge: &mut Judge,
    found: &Found<'_>,
    moves: &[Move],
    interrupt: &AtomicBool,
) -> Result<Option<JudgedRow>, JudgeError> {
    let board = &found.of.board;
    let Some(verdict) = judge.values(board, moves, interrupt)? else { return Ok(None) };
    let texts = moves.iter().map(|mv| uci_text(board, *mv));
    Ok(Some(JudgedRow {
        judge: judge.name().to_owned(),
        nodes: judge.nodes(),
        position: found.of.id.clone(),
        fen: fen_text(board),
        depth: verdict.depth,
        values: Values(texts.zip(verdict.values).collect()),
    }))
}

/// The moves found in a position, and before them those that had a value already: another sweep may
/// need them.
fn with_known(found: &Found<'_>, judged: &Judged) -> Vec<Move> {
    let board = &found.of.board;
    let known = judged.values(board).map_or(&[][..], |values| &values.0);
    let mut moves: Vec<Move> =
        known.iter().filter_map(|(mv, _)| parse_legal_move(board, mv)).collect();
    moves.extend(found.moves.iter().filter(|mv| {
        judged.values(board).is_none_or(|values| values.of(&uci_text(board, **mv)).is_none())
    }));
    moves
}
