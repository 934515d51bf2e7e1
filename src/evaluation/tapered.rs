//! Values that change from the middlegame to the endgame.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A value in the middlegame and in the endgame, in centipawns.
///
/// What is between the two is a mixture of both by the material that is left, so that an
/// evaluation glides from one to the other instead of jumping.
///
/// Both lie in one number, the endgame in the upper half and the middlegame added to it, so that
/// one addition serves both (Tord Romstad's Glaurung and Stockfish keep scores this way). Halves
/// of 32 bits have room for a board full of queens, which a composed position may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tapered {
    packed: i64,
}

impl Tapered {
    /// The phase of a board with all its pieces: the middlegame alone counts.
    pub(super) const FULL_PHASE: i32 = 24;

    pub(super) const fn new(midgame: i32, endgame: i32) -> Tapered {
        Tapered { packed: midgame as i64 + ((endgame as i64) << 32) }
    }

    /// A value that vanishes towards the endgame.
    pub(super) const fn midgame(value: i32) -> Tapered {
        Tapered::new(value, 0)
    }

    /// The opposite value, as a constant.
    pub(super) const fn negated(self) -> Tapered {
        Tapered { packed: -self.packed }
    }

    /// The sum, as a constant.
    pub(super) const fn plus(self, other: Tapered) -> Tapered {
        Tapered { packed: self.packed + other.packed }
    }

    /// The mixture for a phase between nought, the bare endgame, and [`Tapered::FULL_PHASE`].
    /// More than that, after early promotions, counts as full.
    ///
    /// Rounds towards zero, so that opposite values stay opposite.
    pub(super) fn blend(self, phase: i32) -> i32 {
        let phase = phase.min(Tapered::FULL_PHASE);
        let endgame = Tapered::FULL_PHASE - phase;
        (self.lower() * phase + self.upper() * endgame) / Tapered::FULL_PHASE
    }

    const fn lower(self) -> i32 {
        self.packed as i32
    }

    /// A negative lower half has borrowed one from the upper.
    const fn upper(self) -> i32 {
        ((self.packed + (1 << 31)) >> 32) as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        self.plus(other)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered { packed: self.packed - other.packed }
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, count: i32) -> Tapered {
        Tapered { packed: self.packed * i64::from(count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phase_mixes_middlegame_and_endgame() {
        let value = Tapered::new(120, -24);
        assert_eq!(value.blend(Tapered::FULL_PHASE), 120);
        assert_eq!(value.blend(0), -24);
        assert_eq!(value.blend(Tapered::FULL_PHASE / 2), 48);
        assert_eq!(value.blend(Tapered::FULL_PHASE + 8), 120);
    }

    #[test]
    fn opposite_values_blend_to_opposite_numbers() {
        let value = Tapered::new(7, -2);
        for phase in 0..=Tapered::FULL_PHASE {
            assert_eq!(value.negated().blend(phase), -value.blend(phase));
        }
    }
}
