//! Answers for people: a greeting, the list of commands, a drawing of the position.

use std::fmt;

use shakmaty::{Color, File, Position as _, Rank, Square};

use outrider_engine::position::Position;
use outrider_engine::position::notation::{format_fen, format_move};

/// First line at a terminal.
pub(super) const GREETING: &str = concat!(
    "Outrider ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine for use by chess programs. \"help\" lists the commands."
);

/// List of the commands. A test compares it with the commands that are parsed.
pub(super) const HELP: &str = "\
uci                      print the engine's name and its options; end with uciok
debug on, debug off      accepted, but without effect
isready                  answer readyok at once
setoption name N value V set an option
ucinewgame               clear the table and everything else learned in earlier games
position startpos        set the initial position
position fen FEN         set another position
  ... moves M M M        and play moves from it, such as e2e4 g8f6 e7e8q
go                       search to the greatest depth, or until the first of these limits:
  depth N, nodes N       N plies or positions are searched
  movetime MS            MS milliseconds have passed
  wtime MS btime MS      the share of the clock for this move is used up,
  winc MS binc MS        with increments,
  movestogo N            with N moves until time is added
  mate N                 a mate in N moves is found
  infinite               only stop ends the search
  ponder                 stop, or after ponderhit one of the other limits
  searchmoves M M M      search only these moves
stop                     end the search; bestmove follows
ponderhit                the opponent played the expected move: start the clock
quit                     end the program
d                        show the position: FEN, keys, checkers and legal moves
eval                     show the network's value of the position and of each piece
perft N                  count the legal move sequences of N plies, by first move
bench [DEPTH]            search fixed positions; the node count is the signature of the search
help                     show this list";

/// Draws a position with its FEN, keys, checkers and legal moves.
pub(super) struct PositionDrawing<'a>(pub &'a Position);

impl fmt::Display for PositionDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chess = self.0.chess();
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} ", rank.char())?;
            for file in File::ALL {
                let piece = chess.board().piece_at(Square::from_coords(file, rank));
                write!(f, " {}", piece.map_or('.', |piece| piece.char()))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "\n   a b c d e f g h\n")?;
        let board = self.0.board();
        writeln!(f, "FEN: {}", format_fen(chess))?;
        let keys = board.keys();
        writeln!(f, "Key: {:016x}", keys.full.0)?;
        writeln!(f, "Key of the pawns: {:016x}", keys.pawn.0)?;
        writeln!(f, "Key of knights, bishops and kings: {:016x}", keys.minor.0)?;
        for color in [Color::White, Color::Black] {
            let key = keys.non_pawn.get(color).0;
            writeln!(f, "Key of {color}'s pieces without pawns: {key:016x}")?;
        }
        let checkers: Vec<String> =
            board.checkers().into_iter().map(|square| square.to_string()).collect();
        let checkers = if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") };
        writeln!(f, "Checkers: {checkers}")?;
        let moves = board.legal_moves();
        write!(f, "Legal moves: {}", moves.len())?;
        let castling = chess.castles().mode();
        let mut moves: Vec<String> = moves.iter().map(|&mv| format_move(mv, castling)).collect();
        moves.sort_unstable();
        if moves.is_empty() { Ok(()) } else { write!(f, "\n  {}", moves.join(" ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::command::COMMANDS;
    use outrider_engine::position::notation::parse_fen_any;

    #[test]
    fn a_drawing_has_board_fen_checkers_key_and_legal_moves() {
        let chess = parse_fen_any("4k3/8/8/8/8/8/4q3/R3K3 w Q - 3 17").unwrap();
        let drawing = PositionDrawing(&Position::new(chess)).to_string();
        assert!(drawing.contains("\n2  . . . . q . . .\n1  R . . . K . . .\n"), "{drawing}");
        assert!(drawing.contains("FEN: 4k3/8/8/8/8/8/4q3/R3K3 w Q - 3 17\n"), "{drawing}");
        assert!(drawing.contains("Checkers: e2\n"), "{drawing}");
        assert!(drawing.contains("Key: "), "{drawing}");
        assert!(drawing.ends_with("Legal moves: 1\n  e1e2"), "{drawing}");
    }

    #[test]
    fn the_help_lists_exactly_the_commands_that_are_parsed() {
        let listed = HELP.lines().filter(|line| !line.starts_with(' '));
        let mut listed: Vec<&str> = listed.filter_map(|line| line.split(' ').next()).collect();
        listed.dedup();
        assert_eq!(listed, COMMANDS.map(|(word, _)| word));
    }

    #[test]
    fn the_readme_describes_every_command() {
        let page = include_str!("README.md");
        for (word, _) in COMMANDS {
            let described = ["`", " "].iter().any(|end| page.contains(&format!("`{word}{end}")));
            assert!(described, "{word}");
        }
    }
}
