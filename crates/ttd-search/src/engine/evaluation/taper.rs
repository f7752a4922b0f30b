//! A middlegame and an endgame value in one integer.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value, in centipawns, each from −32,768 to 32,767.
///
/// Both live in one `i32`, so that one addition adds both. The endgame is in the upper half, the
/// middlegame in the lower half. A negative lower half borrows from the upper one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taper(i32);

impl Taper {
    /// Zero in both phases.
    pub const ZERO: Taper = Taper(0);

    /// The pair of a middlegame and an endgame value.
    pub const fn new(middlegame: i32, endgame: i32) -> Taper {
        Taper((endgame << 16) + middlegame)
    }

    /// The middlegame value.
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value.
    pub const fn eg(self) -> i32 {
        // The sum gives back the part that a negative lower half has borrowed.
        (self.0 + 0x8000) >> 16
    }

    /// The value between the two by `phase`: 0 is the endgame, `full` (greater than 0) the
    /// middlegame.
    ///
    /// Rounds toward zero, so that the negative pair gives the negative value.
    pub const fn blend(self, phase: i32, full: i32) -> i32 {
        (self.mg() * phase + self.eg() * (full - phase)) / full
    }

    /// The sum, for constants, where the operator cannot be used.
    #[must_use]
    pub const fn plus(self, other: Taper) -> Taper {
        Taper(self.0 + other.0)
    }

    /// The negative, for constants, where the operator cannot be used.
    #[must_use]
    pub const fn negative(self) -> Taper {
        Taper(-self.0)
    }
}

impl Add for Taper {
    type Output = Taper;
    fn add(self, other: Taper) -> Taper {
        Taper(self.0 + other.0)
    }
}

impl AddAssign for Taper {
    fn add_assign(&mut self, other: Taper) {
        self.0 += other.0;
    }
}

impl Sub for Taper {
    type Output = Taper;
    fn sub(self, other: Taper) -> Taper {
        Taper(self.0 - other.0)
    }
}

impl SubAssign for Taper {
    fn sub_assign(&mut self, other: Taper) {
        self.0 -= other.0;
    }
}

impl Neg for Taper {
    type Output = Taper;
    fn neg(self) -> Taper {
        Taper(-self.0)
    }
}

impl Mul<i32> for Taper {
    type Output = Taper;
    fn mul(self, times: i32) -> Taper {
        Taper(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [i32; 9] = [-12_000, -321, -2, -1, 0, 1, 2, 320, 12_000];

    fn pairs() -> impl Iterator<Item = (i32, i32)> {
        VALUES.into_iter().flat_map(|mg| VALUES.map(|eg| (mg, eg)))
    }

    #[test]
    fn gives_back_both_halves() {
        for (mg, eg) in pairs() {
            let taper = Taper::new(mg, eg);
            assert_eq!((taper.mg(), taper.eg()), (mg, eg));
        }
    }

    #[test]
    fn computes_with_both_halves_at_once() {
        for (mg, eg) in pairs() {
            for (other_mg, other_eg) in pairs() {
                let (a, b) = (Taper::new(mg, eg), Taper::new(other_mg, other_eg));
                assert_eq!(a + b, Taper::new(mg + other_mg, eg + other_eg));
                assert_eq!(a - b, Taper::new(mg - other_mg, eg - other_eg));
                assert_eq!(a.plus(b), a + b);
            }
            let taper = Taper::new(mg, eg);
            assert_eq!(-taper, Taper::new(-mg, -eg));
            assert_eq!(taper.negative(), -taper);
            assert_eq!(taper * -2, Taper::new(-2 * mg, -2 * eg));
        }
    }

    #[test]
    fn blends_from_the_endgame_to_the_middlegame() {
        let taper = Taper::new(100, -20);
        assert_eq!(taper.blend(24, 24), 100);
        assert_eq!(taper.blend(0, 24), -20);
        assert_eq!(taper.blend(12, 24), 40);
        for phase in 0..=24 {
            assert_eq!((-taper).blend(phase, 24), -taper.blend(phase, 24));
        }
    }
}
