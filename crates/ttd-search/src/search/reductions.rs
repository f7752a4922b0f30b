//! Late move reductions, as a table of whole numbers.

use crate::engine::Techniques;

const SIZE: usize = 64;

/// Reductions in hundredths of a ply, by depth and move number.
#[derive(Clone, Debug)]
pub struct Reductions([[i32; SIZE]; SIZE]);

impl Reductions {
    /// The table of `base + ln(depth) ln(number) / divisor`, all in hundredths.
    pub fn of(techniques: &Techniques) -> Reductions {
        let parameters = &techniques.late_move_reductions;
        let mut table = [[0; SIZE]; SIZE];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = ln(depth) * ln(number) / (parameters.divisor.max(1) * 100);
                *entry = parameters.base + product;
            }
        }
        Reductions(table)
    }

    /// The reduction of move `number` at `depth`, hundredths of a ply.
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[depth.clamp(0, SIZE as i32 - 1) as usize][number.min(SIZE - 1)]
    }
}

/// The natural logarithm in thousandths, from integers alone. The binary logarithm is found bit by
/// bit, by repeated squaring.
fn ln(n: usize) -> i32 {
    let mut x = (n as u64) << 32 >> n.ilog2(); // 1 <= x < 2, 32 binary places
    let mut log2 = u64::from(n.ilog2()) << 16; // 16 binary places
    for place in (0..16).rev() {
        x = ((u128::from(x) * u128::from(x)) >> 32) as u64;
        if x >= 2 << 32 {
            x >>= 1;
            log2 |= 1 << place;
        }
    }
    (log2 * 693_147 / (65_536 * 1_000)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for n in 1..SIZE {
            assert!((f64::from(ln(n)) - (n as f64).ln() * 1000.0).abs() < 1.5, "{n}: {}", ln(n));
        }
    }

    #[test]
    fn reductions_grow() {
        let table = Reductions::of(&Techniques::default());
        assert!(table.get(10, 20) > table.get(10, 4));
        assert!(table.get(20, 20) > table.get(5, 20));
        assert_eq!(table.get(100, 500), table.get(63, 63));
    }
}
