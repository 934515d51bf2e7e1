//! Reasons of faults: one sentence, where the reason can be shown on the board.
//!
//! A reason follows from the refutation or from the missed line, and from the board: attacks and static
//! exchanges. A line proves a gain of material only if the gain lasts to the end of the line and the score
//! reflects it; `prove` then confirms it with a longer search. Without a proof there is no reason.

mod gain;
mod tactic;
mod words;

use shakmaty::{Bitboard, Chess, Color, Move, Position as _, Role, Square, attacks};

use self::gain::{MIN_GAIN, wins_piece};
use self::tactic::Tactic;
use self::words::name;
use super::ExaminedPosition;
use outrider_engine::position::san::format_san;
use outrider_engine::position::{see_ge, see_value, tactical_gain};

/// A fault, with the search results before and after it.
pub(super) struct FaultyMove<'a> {
    /// Position before the move.
    pub before: &'a Chess,
    pub mv: Move,
    /// Previous move, by the opponent.
    pub last: Option<Move>,
    pub found_before: &'a ExaminedPosition,
    pub found_after: &'a ExaminedPosition,
}

/// Reason of a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// English sentence.
    pub text: String,
    pub(super) evidence: Evidence,
}

/// Source of a reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Evidence {
    /// A mate, a stalemate or endgame tables, which need no longer search.
    Certainty,
    /// The best line after the move.
    Refutation,
    /// The best line instead of the move.
    MissedLine,
}

impl Evidence {
    fn reason(self, text: String) -> Reason {
        Reason { text, evidence: self }
    }
}

/// Returns the reason of a fault, if there is a proof.
pub(super) fn reason(fault: &FaultyMove<'_>) -> Option<Reason> {
    let mut after = fault.before.clone();
    after.play_unchecked(fault.mv);
    after
        .is_stalemate()
        .then(|| "It stalemates.".to_owned())
        .or_else(|| mates(fault))
        .or_else(|| tables(fault))
        .map(|text| Evidence::Certainty.reason(text))
        .or_else(|| material(fault, &after).filter(|_| score_loss(fault) >= MIN_GAIN))
}

/// Returns the loss by the scores, in centipawns. If a line wins a piece but the score does not reflect
/// it, the line gives compensation or the opponent has a better answer.
fn score_loss(fault: &FaultyMove<'_>) -> i32 {
    fault.found_before.score - -fault.found_after.score
}

/// Finds material that is lost by the move, or missed.
fn material(fault: &FaultyMove<'_>, after: &Chess) -> Option<Reason> {
    hanging(fault, after)
        .or_else(|| {
            let prior = tactical_gain(fault.mv);
            let tactic = Tactic::find(after, &fault.found_after.line, prior)?;
            Some(format!("It allows {tactic}."))
        })
        .or_else(|| leaves_square(fault, after))
        .map(|text| Evidence::Refutation.reason(text))
        .or_else(|| missed(fault).map(|text| Evidence::MissedLine.reason(text)))
}

/// Finds a mate that the move allows or misses.
fn mates(fault: &FaultyMove<'_>) -> Option<String> {
    let moves = |found: &ExaminedPosition| found.score.mate_moves().filter(|&moves| moves > 0);
    if let Some(moves) = moves(fault.found_after) {
        return Some(format!("It allows mate in {moves}."));
    }
    let keeps_mate = fault.found_after.score.mate_moves().is_some();
    let missed = moves(fault.found_before).filter(|_| !keeps_mate)?;
    Some(format!("It misses mate in {missed}."))
}

/// Finds a result of the endgame tables. Decisive scores that are not mates come from the tables.
fn tables(fault: &FaultyMove<'_>) -> Option<String> {
    let (best, kept) = (fault.found_before.score, -fault.found_after.score);
    let is_known = |found: &ExaminedPosition| found.score.is_decisive() && !found.score.is_mate();
    if best.is_win() && is_known(fault.found_before) && !kept.is_win() {
        return Some("It gives away a win according to the endgame tables.".to_owned());
    }
    (kept.is_loss() && is_known(fault.found_after) && !best.is_loss())
        .then(|| "It loses according to the endgame tables.".to_owned())
}

/// Finds a piece that the refutation captures at once and keeps.
fn hanging(fault: &FaultyMove<'_>, after: &Chess) -> Option<String> {
    let line = &fault.found_after.line;
    let taking = *line.first()?;
    let role = wins_piece(after, line, tactical_gain(fault.mv))?;
    let (piece, square, san) = (name(role), taking.to(), format_san(after, taking));
    if square == fault.mv.to() {
        return Some(format!("It puts the {piece} on a square where {san} captures it."));
    }
    if falls_anyway(fault, square) {
        return None;
    }
    let moved_from = fault.mv.from()?;
    let board = fault.before.board();
    let guarded = attacks::attacks(moved_from, board.piece_at(moved_from)?, board.occupied());
    let is_guarded_yet = {
        let board = after.board();
        let to = fault.mv.to();
        board
            .piece_at(to)
            .is_some_and(|piece| attacks::attacks(to, piece, board.occupied()).contains(square))
    };
    // The opponent could have captured the piece before, if it had been its turn.
    let threatened = fault.before.clone().swap_turn().ok().is_some_and(|passed| {
        passed.legal_moves().contains(&taking) && see_ge(&passed, taking, MIN_GAIN)
    });
    Some(if threatened {
        format!("It leaves the {piece} on {square} to {san}.")
    } else if guarded.contains(square) && !is_guarded_yet {
        format!("It leaves the {piece} on {square} undefended against {san}.")
    } else {
        format!("It loses the {piece} on {square} to {san}.")
    })
}

/// Returns true if the opponent also captures on this square with a gain in the best line.
fn falls_anyway(fault: &FaultyMove<'_>, square: Square) -> bool {
    let &[best, answer, ..] = &fault.found_before.line[..] else {
        return false;
    };
    let mut after_best = fault.before.clone();
    after_best.play_unchecked(best);
    let is_same = answer.is_capture() && answer.to() == square && best.to() != square;
    is_same && see_ge(&after_best, answer, MIN_GAIN)
}

/// Finds a king that leaves the square of a pawn, which then promotes.
fn leaves_square(fault: &FaultyMove<'_>, after: &Chess) -> Option<String> {
    let board = fault.before.board();
    let only_pawns = board.occupied() == (board.kings() | board.pawns());
    let (mover, from) = (fault.before.turn(), fault.mv.from()?);
    if !only_pawns || fault.mv.role() != Role::King {
        return None;
    }
    let promoting = fault.found_after.line.iter().step_by(2).find(|mv| mv.promotion().is_some())?;
    // The pawn promotes on its own file.
    let file = promoting.to().file();
    let pawns = after.board().by_piece(Role::Pawn.of(!mover)) & Bitboard::from_file(file);
    let pawn = match mover {
        Color::White => pawns.first()?,
        Color::Black => pawns.last()?,
    };
    let own = after.board().by_piece(Role::Pawn.of(mover));
    let on_its_way = |square: &Square| {
        square.file().distance(file) <= 1
            && mover.fold_wb(square.rank() < pawn.rank(), square.rank() > pawn.rank())
    };
    if own.into_iter().any(|square| on_its_way(&square)) {
        return None;
    }
    let distance = |square: Square| square.distance(promoting.to());
    let left = pawn.rank().distance(promoting.to().rank()).min(5);
    // The king was to move before; now the pawn is.
    let (was_inside, is_inside) = (distance(from) <= left + 1, distance(fault.mv.to()) <= left);
    (was_inside && !is_inside && distance(fault.mv.to()) >= distance(from))
        .then(|| format!("The king leaves the square of the pawn on {pawn}."))
}

/// Finds a gain in the best line that the move missed.
fn missed(fault: &FaultyMove<'_>) -> Option<String> {
    let (chess, line) = (fault.before, &fault.found_before.line);
    let first = *line.first()?;
    // A capture on the same square, now or with the next move, misses nothing there.
    let takes = |mv: &Move| mv.is_capture() && mv.to() == first.to();
    let takes_too = takes(&fault.mv) || fault.found_after.line.get(1).is_some_and(takes);
    // Material that the move itself captures is not missed.
    let taken = tactical_gain(fault.mv);
    if let Some(role) = wins_piece(chess, line, taken).filter(|_| !takes_too) {
        let took = fault.last.filter(|last| last.is_capture() && last.to() == first.to());
        let (san, square) = (format_san(chess, first), first.to());
        return Some(match took {
            Some(_) => format!("It does not recapture on {square}."),
            None => format!("It misses {san}, which wins {}.", won(chess, first, role)),
        });
    }
    let took_it =
        fault.mv.is_capture() && line.get(2).is_some_and(|third| third.to() == fault.mv.to());
    let tactic = Tactic::find(chess, line, taken).filter(|_| !took_it)?;
    Some(format!("It misses {tactic}."))
}

/// Describes the gain of a capture, which may be answered by a recapture.
fn won(chess: &Chess, taking: Move, role: Role) -> String {
    let for_pawn = see_value(role) - see_value(Role::Pawn);
    if see_ge(chess, taking, for_pawn) {
        format!("the {}", name(role))
    } else if role == Role::Rook {
        "the exchange".to_owned()
    } else {
        "material".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::evaluation::wdl::Wdl;
    use outrider_engine::position::notation::parse_fen_any;
    use outrider_engine::position::san::parse_san;
    use outrider_engine::units::{Depth, Ply, Score};

    /// A search result, with a line of moves from a position.
    fn found(chess: &Chess, score: Score, line: &str) -> ExaminedPosition {
        let mut chess = chess.clone();
        let play = |san: &str| {
            let mv = parse_san(&chess, san).unwrap_or_else(|error| panic!("{san}: {error}"));
            chess.play_unchecked(mv);
            mv
        };
        let line = line.split_whitespace().map(play).collect();
        let wdl = Wdl { win: 0, draw: 1000, loss: 0 };
        ExaminedPosition { score, wdl, line, depth: Depth::new(9), others: Vec::new() }
    }

    /// The reason of a fault, given its refutation and the better line.
    fn why(fen: &str, played: &str, refutation: &str, better: &str) -> Option<String> {
        why_scored(fen, played, refutation, better, Score::new(300))
    }

    /// The same with the opponent's score after the move.
    fn why_scored(
        fen: &str,
        played: &str,
        refutation: &str,
        better: &str,
        refuted: Score,
    ) -> Option<String> {
        let before = parse_fen_any(fen).unwrap();
        let mv = parse_san(&before, played).unwrap();
        let mut after = before.clone();
        after.play_unchecked(mv);
        let found_before = &found(&before, Score::new(0), better);
        let found_after = &found(&after, refuted, refutation);
        said(&FaultyMove { before: &before, mv, last: None, found_before, found_after })
    }

    fn said(fault: &FaultyMove<'_>) -> Option<String> {
        reason(fault).map(|reason| reason.text)
    }

    fn says(fen: &str, played: &str, refutation: &str, better: &str, expected: &str) {
        assert_eq!(why(fen, played, refutation, better).as_deref(), Some(expected));
    }

    #[test]
    fn a_hanging_piece_is_reported_with_its_cause() {
        let fen = "4k3/3r4/8/8/2N5/1B6/8/4K3 w - - 0 1";
        let expected = "It puts the knight on a square where Rxd6 captures it.";
        says(fen, "Nd6", "Rxd6 Ke2", "Ke2", expected);
        let attacked = "4k3/8/8/8/2Nr4/8/8/4K3 w - - 0 1";
        says(attacked, "Ke2", "Rxc4 Kd3 Rc8", "Ne3", "It leaves the knight on c4 to Rxc4.");
        let guarded = "4k3/8/8/8/2Nr4/1B6/8/4K3 w - - 0 1";
        let expected = "It leaves the knight on c4 undefended against Rxc4.";
        says(guarded, "Bd1", "Rxc4 Be2", "Ke2", expected);
        assert_eq!(why(guarded, "Ke2", "Rd8 Ke3", "Kf2"), None, "it is defended");
    }

    #[test]
    fn an_exchange_is_no_loss() {
        let fen = "4k3/3r4/8/3n4/8/8/3R4/3RK3 w - - 0 1";
        assert_eq!(why(fen, "Rxd5", "Rxd5 Rxd5", "Ke2"), None);
        // Material that the line gives back is no loss either.
        let fen = "3qk3/8/8/8/8/8/3Q4/3RK3 b - - 0 1";
        assert_eq!(why(fen, "Qe7+", "Kf2 Qf7+ Kg1 Qa7+", "Ke7"), None);
    }

    #[test]
    fn mates_tables_and_stalemate_are_reported_first() {
        let before = parse_fen_any("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 b - - 0 1").unwrap();
        let mv = parse_san(&before, "h6").unwrap();
        let mut after = before.clone();
        after.play_unchecked(mv);
        let mate = Score::mate_in(Ply::new(3));
        let (quiet, loud) = (Score::new(0), found(&after, mate, ""));
        let fault = |found_before, found_after| FaultyMove {
            before: &before,
            mv,
            last: None,
            found_before,
            found_after,
        };
        let [before_quiet, after_quiet] = [&before, &after].map(|chess| found(chess, quiet, ""));
        let said = |fault| said(&fault);
        assert_eq!(said(fault(&before_quiet, &loud)).as_deref(), Some("It allows mate in 2."));
        let missed = found(&before, mate, "");
        assert_eq!(said(fault(&missed, &after_quiet)).as_deref(), Some("It misses mate in 2."));
        let table_win = found(&before, Score::tablebase_win_in(Ply::new(3)), "");
        let known = "It gives away a win according to the endgame tables.";
        assert_eq!(said(fault(&table_win, &after_quiet)).as_deref(), Some(known));
        assert_eq!(said(fault(&before_quiet, &after_quiet)), None);
        says("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "", "Qf8", "It stalemates.");
    }

    #[test]
    fn a_stalemate_is_reported_before_a_missed_mate() {
        let before = parse_fen_any("8/8/8/5B2/2K5/2Q5/k7/8 w - - 11 62").unwrap();
        let mv = parse_san(&before, "Bc2").unwrap();
        let mut after = before.clone();
        after.play_unchecked(mv);
        let found_before = &found(&before, Score::mate_in(Ply::new(3)), "Qb3+ Ka1 Qb1#");
        let found_after = &found(&after, Score::DRAW, "");
        let said = said(&FaultyMove { before: &before, mv, last: None, found_before, found_after });
        assert_eq!(said.as_deref(), Some("It stalemates."));
    }

    #[test]
    fn forks_skewers_and_pins_are_reported_if_they_win_material() {
        let fen = "r3k3/1p6/8/3N4/8/8/8/4K3 b q - 0 1";
        let fork = "It allows the fork Nc7+ of king and rook.";
        says(fen, "b5", "Nc7+ Kd7 Nxa8 Kc8", "Kd7", fork);
        assert_eq!(why(fen, "b5", "Nc7+ Kd7 Nd5 Kd6", "Kd7"), None, "nothing is taken");
        let skewer = "It allows the skewer Rb8+ of king and rook.";
        says("7r/p3k3/8/8/8/8/8/1R2K3 b - - 0 1", "Ke8", "Rb8+ Kd7 Rxh8 a5", "a5", skewer);
        let forked = "It misses the fork Bxg7 of rook and rook.";
        let line = "Bxg7 Kf7 Bxh8 Rd8 Kf2";
        says("5rkr/6p1/8/8/8/2B5/8/4K1R1 w - - 0 1", "Ke2", "Rd8", line, forked);
        let taken = "5rkr/6p1/8/8/8/2B5/8/R3K3 w - - 0 1";
        assert_eq!(why(taken, "Ke2", "Rd8", line), None, "Kxg7 is an answer");
        let pin = "It allows Bb5, which pins the knight.";
        says("4k3/8/2n5/p7/8/3B4/1P1P4/4K3 b - - 0 1", "a4", "Bb5 Kd7 Bxc6+ Kd6", "Kd7", pin);
    }

    #[test]
    fn discovered_attacks_and_captured_defenders_are_reported() {
        let fen = "3qk3/p7/8/8/3N4/8/8/3RK3 b - - 0 1";
        let words = "It allows Nc6, which discovers the rook’s attack on the queen.";
        says(fen, "a6", "Nc6 a5 Rxd8+ Kf7", "Qe7", words);
        let fen = "4k3/p5p1/5n2/3r2B1/8/8/8/3RK3 b - - 0 1";
        let words = "It allows Bxf6, which captures the defender of the rook.";
        says(fen, "a6", "Bxf6 gxf6 Rxd5 Ke7", "Rxg5", words);
    }

    #[test]
    fn a_king_that_leaves_the_square_of_a_pawn_is_reported() {
        let fen = "8/8/5K2/8/k7/8/7p/8 w - - 0 1";
        assert_eq!(why(fen, "Kf5", "h1=Q Ke5", "Kg5"), None, "the pawn was too far before");
        let fen = "8/8/8/8/p7/4K3/1P6/7k w - - 0 1";
        assert_eq!(why(fen, "Kf4", "a3 Ke3 a2 Kd2 a1=Q", "Kd2"), None, "the pawn is held up");
        let fen = "8/8/8/8/p7/4K3/8/7k w - - 0 1";
        let words = "The king leaves the square of the pawn on a4.";
        says(fen, "Kf4", "a3 Ke3 a2 Kd2 a1=Q", "Kd2", words);
    }

    #[test]
    fn losses_of_the_best_line_and_gains_of_the_played_move_are_no_reason() {
        let in_check = "8/3R3r/1p2B3/b4k2/2p5/2P1n3/PP6/4K3 b - - 4 46";
        let (lost, better) = ("Rxh7 Kf6 Ke2 Nd1", "Kxe6 Rxh7 Kd6 a4 Nd5 Kd2");
        assert_eq!(why(in_check, "Kg5", lost, better), None, "the rook falls anyway");
        let bishop = "rn1qk1nr/ppp3pp/8/3pb3/3P1P2/8/PPP3PP/RNBQK2R w KQkq - 0 9";
        let fork = "Qh5+ g6 Qxe5+ Qe7 O-O Qxe5";
        assert_eq!(why(bishop, "fxe5", "Qh4+ g3 Qe4+ Kf2 Nc6 c3", fork), None, "it is taken");
        let knights = "3N1r1k/ppp3pp/3p2n1/PP6/3PP3/1Q5P/3N1qP1/1R5K b - - 2 28";
        let (lost, better) = ("Nf7+ Rxf7 Qxf7 Qf4 Qxf4 Nxf4", "Rxd8 Qb2 Nf4 Nf3 Ne2 Re1");
        assert_eq!(why(knights, "Qxd2", lost, better), None, "it takes a knight, too");
    }

    #[test]
    fn a_piece_that_is_traded_for_another_is_not_reported_as_lost() {
        let queens = "r3kbnr/ppp1pppp/2n3q1/5b2/3P4/3QBN2/PPP2PPP/RN2KB1R w KQkq - 7 7";
        let (lost, better) = ("Bxd3 Nxg6 Bxg6 d5 Nb4 Bb5+ c6 dxc6", "Qb5 Bd7 Qxb7 Rb8");
        assert_eq!(why(queens, "Nh4", lost, better), None, "a queen for a queen and a knight");
    }

    #[test]
    fn a_piece_that_the_last_move_of_a_line_recaptures_was_not_won() {
        let knights = "r1b1kb1r/2p2ppp/p3q3/1p6/4n1N1/8/PPPP1PPP/RNBQ1RK1 b kq - 4 10";
        let (played, better) = ("Ne3 Bb7 a4 b4 d3 O-O-O", "Qxg4 f3 Qh4 Qe2 Bc5+ Kh1 O-O fxe4");
        assert_eq!(why(knights, "h5", played, better), None, "a knight for a knight");
    }

    #[test]
    fn a_gain_that_the_score_does_not_reflect_is_no_reason() {
        let fork = "r1bqk2r/1p2n1bp/p1n1p1p1/3pP3/8/P2BBN2/1P3PPP/RN1Q1RK1 w kq - 1 12";
        let line = "d4 Ne4 dxe3 Nd6+ Kf8 fxe3 Nf5 Bxf5 exf5";
        let why = |score| why_scored(fork, "Nc3", line, "Nbd2 Nxe5 Nxe5 Bxe5", Score::new(score));
        assert_eq!(why(78), None, "Nxd4 is an answer");
        assert_eq!(why(300).as_deref(), Some("It allows the fork d4 of bishop and knight."));
    }

    #[test]
    fn a_missed_gain_is_reported_if_the_move_allows_nothing() {
        let fen = "4k3/8/3r4/8/5B2/8/8/4K3 w - - 0 1";
        says(fen, "Ke2", "Rd4 Be3", "Bxd6 Kd7", "It misses Bxd6, which wins the rook.");
        assert_eq!(why(fen, "Ke2", "Kd7 Bxd6 Kc6", "Bxd6 Kd7"), None, "it is taken a move later");
        let guarded = "4k3/4p3/3r4/8/5B2/8/8/4K3 w - - 0 1";
        says(
            guarded,
            "Ke2",
            "Rd4 Be3",
            "Bxd6 exd6 Kd2",
            "It misses Bxd6, which wins the exchange.",
        );
        // The piece is captured, though not in the best way.
        let both = "4k3/8/8/3n4/2P1P3/8/8/4K3 w - - 0 1";
        assert_eq!(why(both, "exd5", "Ke7 Kd2", "cxd5 Ke7"), None);
        let fen = "r3k3/1p6/8/3N4/8/8/8/4K3 w q - 0 1";
        let fork = "It misses the fork Nc7+ of king and rook.";
        says(fen, "Ke2", "Kd7 Ke3", "Nc7+ Kd7 Nxa8 Kc8", fork);
    }
}
