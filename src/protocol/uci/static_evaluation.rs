//! Answer to `eval`: the network's value of a position and of each piece, and the static evaluation
//! that the search starts from.

use std::fmt;

use shakmaty::{Board as Pieces, File, Position as _, Rank, Role, Square};

use outrider_engine::evaluation::wdl::shown_score;
use outrider_engine::evaluation::{Network, static_value, value_by_rule};
use outrider_engine::position::Position;
use outrider_engine::units::Score;

/// Prints the board with the network's value of each piece (value of the position with the piece minus
/// value without it), the value by each output, and the static evaluation, in which a rule may replace
/// the network. These values are in pawns of the search; the last line is the displayed score.
pub(super) struct StaticEvaluation<'a> {
    pub position: &'a Position,
    pub network: &'a Network,
}

impl StaticEvaluation<'_> {
    fn for_white(&self, value: Score) -> Score {
        self.position.turn().fold_wb(value, -value)
    }

    /// Value of the position for White with these pieces.
    fn value_of(&self, pieces: &Pieces) -> Score {
        self.for_white(self.network.value(pieces, self.position.turn()))
    }

    /// Value for White of the piece on a square: value with it minus value without it. `None` for an
    /// empty square and for a king, which a position cannot lack.
    fn piece_value(&self, square: Square) -> Option<i32> {
        let pieces = self.position.chess().board();
        pieces.role_at(square).filter(|&role| role != Role::King)?;
        let mut others = pieces.clone();
        others.discard_piece_at(square);
        Some(self.value_of(pieces) - self.value_of(&others))
    }

    fn draw_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+";
        writeln!(f, "{LINE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            let squares = File::ALL.map(|file| Square::from_coords(file, rank));
            write!(f, "{} |", rank.char())?;
            for square in squares {
                let piece = self.position.chess().board().piece_at(square);
                write!(f, "   {}   |", piece.map_or(' ', |piece| piece.char()))?;
            }
            write!(f, "\n  |")?;
            for square in squares {
                let value = self.piece_value(square).map(|value| Score::new(value).to_string());
                write!(f, "{:^7}|", value.unwrap_or_default())?;
            }
            writeln!(f, "\n{LINE}")?;
        }
        writeln!(f, "      a       b       c       d       e       f       g       h\n")
    }

    fn list_outputs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.position.chess().board();
        let used = self.network.bucket(pieces);
        for bucket in 0..self.network.buckets() {
            let value = self.network.value_with_output(pieces, self.position.turn(), bucket);
            let mark = if bucket == used { "  used here" } else { "" };
            let (number, count) = (bucket + 1, self.network.buckets());
            writeln!(f, "Output {number} of {count} for White: {}{mark}", self.for_white(value))?;
        }
        Ok(())
    }
}

impl fmt::Display for StaticEvaluation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draw_board(f)?;
        writeln!(f, "Network: {}", self.network)?;
        self.list_outputs(f)?;
        let (chess, turn) = (self.position.chess(), self.position.turn());
        if value_by_rule(chess).is_some() {
            writeln!(f, "By rule: the result of this ending is known; the network is not used")?;
        }
        let value = static_value(chess, self.network);
        if value_by_rule(chess).is_none() && value != self.network.value(chess.board(), turn) {
            writeln!(f, "By rule: this material rarely or never wins, so the value is reduced")?;
        }
        let shown = shown_score(value).centipawns();
        let name = turn.fold_wb("White", "Black");
        writeln!(f, "Static evaluation for the side to move ({name}): {value}")?;
        writeln!(f, "Static evaluation for White: {}", self.for_white(value))?;
        writeln!(
            f,
            "These values are in pawns of the search. A displayed score of cp 100 is an even chance to win \
             with all pieces."
        )?;
        write!(f, "Displayed score for the side to move: cp {shown}")
    }
}
