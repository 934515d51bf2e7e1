//! Answers of the engine as typed values that print as UCI requires.

use std::fmt;

use shakmaty::{CastlingMode, Position as _};

use super::options::Options;
use outrider_engine::evaluation::wdl::{WDL_MODEL, Wdl, material, shown_score};
use outrider_engine::position::Position;
use outrider_engine::position::notation::format_move;
use outrider_engine::search::{Bound, Line, Outcome, Progress, Report, nodes_per_second};
use outrider_engine::units::Score;

/// One answer: a line of UCI, or text for people.
pub(super) enum Response<'a> {
    /// Name, author and options; ends with `uciok`.
    Identity(&'a Options),
    ReadyOk,
    /// A report of a search. With `show_wdl`, its lines show WDL too.
    Info {
        report: &'a Report,
        root: RootView,
        show_wdl: bool,
    },
    BestMove {
        outcome: &'a Outcome,
        root: RootView,
    },
    /// Answer of a search without a position.
    NoMove,
    /// A line `info string`. Control characters in the message are replaced by spaces.
    Message(&'a dyn fmt::Display),
    /// Text for people, printed unchanged.
    Text(&'a dyn fmt::Display),
}

/// Properties of a search's root position that decide how its moves and scores are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RootView {
    castling: CastlingMode,
    material: u32,
}

impl RootView {
    /// Takes the properties from the root position.
    pub(super) fn new(root: &Position) -> RootView {
        let chess = root.chess();
        RootView { castling: chess.castles().mode(), material: material(chess.board()) }
    }
}

impl fmt::Display for Response<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Identity(options) => {
                writeln!(f, "id name Outrider {}", env!("CARGO_PKG_VERSION"))?;
                writeln!(f, "id author the Outrider authors")?;
                write!(f, "{options}\nuciok")
            }
            Response::ReadyOk => f.write_str("readyok"),
            Response::Info { report, root, show_wdl } => print_report(report, *root, *show_wdl, f),
            Response::BestMove { outcome, root } => print_best_move(outcome, *root, f),
            Response::NoMove => f.write_str("bestmove (none)"),
            Response::Message(message) => {
                write!(f, "info string {}", one_line(&message.to_string()))
            }
            Response::Text(text) => text.fmt(f),
        }
    }
}

fn print_report(
    report: &Report,
    root: RootView,
    show_wdl: bool,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match report {
        Report::Line(line) => print_line(line, root, show_wdl, f),
        Report::CurrentMove { depth, mv, number } => {
            let mv = format_move(*mv, root.castling);
            write!(f, "info depth {} currmove {mv} currmovenumber {number}", depth.plies())
        }
        Report::Progress(progress) => {
            f.write_str("info ")?;
            print_progress(*progress, f)
        }
        Report::NoMove(score) => {
            write!(f, "info depth 0 score {}", format_score(*score))
        }
        Report::NoMateFound { moves, disproved } => {
            let outcome = if *disproved { "none, all lines were searched" } else { "undecided" };
            write!(f, "info string mate in {moves}: {outcome}")
        }
        Report::TablebasesFailed(error) => {
            let text = one_line(&error.to_string());
            write!(f, "info string {text}; endgame tables are no longer used")
        }
    }
}

fn print_line(
    line: &Line,
    root: RootView,
    show_wdl: bool,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(f, "info depth {} seldepth {}", line.depth.plies(), line.seldepth)?;
    write!(f, " multipv {} score {}", line.rank, format_score(line.score))?;
    f.write_str(match line.bound {
        Bound::Exact => " ",
        Bound::Lower => " lowerbound ",
        Bound::Upper => " upperbound ",
    })?;
    if show_wdl {
        let Wdl { win, draw, loss } = WDL_MODEL.wdl(line.score, root.material);
        write!(f, "wdl {win} {draw} {loss} ")?;
    }
    print_progress(line.progress, f)?;
    if !line.moves.is_empty() {
        f.write_str(" pv")?;
    }
    line.moves.iter().try_for_each(|&mv| write!(f, " {}", format_move(mv, root.castling)))
}

fn print_progress(progress: Progress, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Progress { nodes, tablebase_hits, hashfull, elapsed } = progress;
    let rate = nodes_per_second(nodes, elapsed);
    write!(f, "nodes {nodes} nps {rate} hashfull {hashfull} tbhits {tablebase_hits}")?;
    write!(f, " time {}", elapsed.as_millis())
}

fn print_best_move(outcome: &Outcome, root: RootView, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let best = outcome.best.map(|mv| format_move(mv, root.castling));
    write!(f, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
    let ponder = outcome.ponder.map(|mv| format_move(mv, root.castling));
    ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
}

/// Displayed score of a win by endgame tables, in centipawns, as chess programs expect it. One
/// centipawn is subtracted for each ply to the position in the tables.
const TABLEBASE_WIN: i32 = 20_000;

/// Formats a score for UCI. With all pieces on the board, `cp 100` is an even chance to win.
fn format_score(score: Score) -> String {
    let shown = shown_score(score).centipawns();
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None if score.is_win() => {
            format!("cp {}", shown - Score::TABLEBASE_WIN.centipawns() + TABLEBASE_WIN)
        }
        None if score.is_loss() => {
            format!("cp {}", shown + Score::TABLEBASE_WIN.centipawns() - TABLEBASE_WIN)
        }
        None => format!("cp {shown}"),
    }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::{parse_fen, parse_move};
    use outrider_engine::units::{Depth, Ply};
    use shakmaty::Chess;
    use std::time::Duration;

    const PROGRESS: Progress = Progress {
        nodes: 5000,
        tablebase_hits: 3,
        hashfull: 12,
        elapsed: Duration::from_millis(250),
    };

    fn line(moves: &[&str]) -> Line {
        let mut chess = Chess::default();
        let moves = moves.iter().map(|text| {
            let mv = parse_move(&chess, text).unwrap();
            chess.play_unchecked(mv);
            mv
        });
        Line {
            depth: Depth::new(7),
            seldepth: 11,
            rank: 2,
            score: Score::new(-WDL_MODEL.even(78).round() as i32),
            bound: Bound::Exact,
            progress: PROGRESS,
            moves: moves.collect(),
        }
    }

    fn print(line: Line) -> String {
        print_report(Report::Line(line))
    }

    fn print_report(report: Report) -> String {
        let root = RootView::new(&Position::default());
        Response::Info { report: &report, root, show_wdl: false }.to_string()
    }

    /// Returns the displayed score of [`line`]: a pawn less, up to rounding.
    fn pawn_less() -> String {
        let score = format_score(line(&[]).score);
        let centipawns: i32 = score.strip_prefix("cp ").unwrap().parse().unwrap();
        assert!((centipawns + 100).abs() <= 1, "{score}");
        score
    }

    #[test]
    fn the_fields_of_a_line_are_in_the_usual_order() {
        let score = pawn_less();
        assert_eq!(
            print(line(&["e2e4", "e7e5"])),
            format!(
                "info depth 7 seldepth 11 multipv 2 score {score} nodes 5000 nps 20000 \
                 hashfull 12 tbhits 3 time 250 pv e2e4 e7e5"
            )
        );
    }

    #[test]
    fn a_score_of_one_pawn_is_an_even_chance_to_win_with_all_pieces() {
        for (material, pawns) in [(20, 2.7), (50, 1.4), (78, 1.0)] {
            let even = WDL_MODEL.even(material).round() as i32;
            let report = Report::Line(Line { score: Score::new(even), ..line(&["e2e4"]) });
            let root = RootView { material, castling: CastlingMode::Standard };
            let printed = Response::Info { report: &report, root, show_wdl: true }.to_string();
            let fields: Vec<&str> = printed.split(' ').collect();
            let after = |name: &str, place: usize| -> i32 {
                let index = fields.iter().position(|&field| field == name).unwrap();
                fields[index + place].parse().unwrap()
            };
            // The displayed score does not depend on the material, but with fewer pieces it wins less
            // often.
            let shown = f64::from(after("cp", 1)) / 100.0;
            assert!((shown - pawns).abs() <= 0.3, "{printed}");
            assert!((after("wdl", 1) - 500).abs() <= 5, "{printed}");
            assert_eq!(after("wdl", 1) + after("wdl", 2) + after("wdl", 3), 1000, "{printed}");
        }
    }

    #[test]
    fn a_bound_follows_its_score() {
        let score = pawn_less();
        let low = print(Line { bound: Bound::Upper, ..line(&["e2e4"]) });
        assert!(low.contains(&format!(" score {score} upperbound nodes ")), "{low}");
        let high = print(Line { bound: Bound::Lower, ..line(&["e2e4"]) });
        assert!(high.contains(&format!(" score {score} lowerbound nodes ")), "{high}");
    }

    #[test]
    fn a_mate_is_printed_in_moves() {
        let mate = print(Line { score: Score::mated_in(Ply::new(4)), ..line(&["e2e4"]) });
        assert!(mate.contains(" score mate -2 "), "{mate}");
    }

    #[test]
    fn a_tablebase_win_has_a_higher_score_than_every_evaluation() {
        let cp = |score| print(Line { score, ..line(&["e2e4"]) });
        let win = Score::tablebase_win_in(Ply::new(3));
        assert!(cp(win).contains(" score cp 19997 ") && cp(-win).contains(" score cp -19997 "));
        let most: i32 = format_score(Score::MAX_STATIC)[3..].parse().unwrap();
        assert!(most < TABLEBASE_WIN - outrider_engine::units::MAX_PLY as i32);
    }

    #[test]
    fn a_line_without_time_and_moves_is_printed() {
        let progress = Progress { elapsed: Duration::ZERO, ..PROGRESS };
        let line = print(Line { progress, ..line(&[]) });
        assert!(line.ends_with(" time 0"), "{line}");
    }

    #[test]
    fn progress_is_printed_without_a_line() {
        let printed = print_report(Report::Progress(PROGRESS));
        assert_eq!(printed, "info nodes 5000 nps 20000 hashfull 12 tbhits 3 time 250");
    }

    #[test]
    fn checkmate_and_stalemate_at_the_root_have_a_score() {
        let printed = |score| print_report(Report::NoMove(score));
        assert_eq!(printed(Score::mated_in(Ply::ROOT)), "info depth 0 score mate 0");
        assert_eq!(printed(Score::DRAW), "info depth 0 score cp 0");
    }

    fn outcome(chess: &Chess, best: Option<&str>, ponder: Option<&str>) -> Outcome {
        let best = best.map(|text| parse_move(chess, text).unwrap());
        let after = best.map(|mv| chess.clone().play(mv).unwrap());
        Outcome {
            best,
            ponder: ponder.map(|text| parse_move(&after.unwrap(), text).unwrap()),
            score: Score::DRAW,
            depth: Depth::ONE,
            nodes: 1,
            elapsed: Duration::ZERO,
        }
    }

    #[test]
    fn castling_is_written_in_the_mode_of_the_root() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        for (castling, expected) in [
            (CastlingMode::Standard, "bestmove e1c1 ponder e8e7"),
            (CastlingMode::Chess960, "bestmove e1a1 ponder e8e7"),
        ] {
            let chess = parse_fen(fen, castling).unwrap();
            let outcome = outcome(&chess, Some("e1a1"), Some("e8e7"));
            let root = RootView::new(&Position::new(chess));
            assert_eq!(Response::BestMove { outcome: &outcome, root }.to_string(), expected);
        }
    }

    #[test]
    fn without_a_legal_move_there_is_no_best_move() {
        let outcome = outcome(&Chess::default(), None, None);
        let root = RootView::new(&Position::default());
        let response = Response::BestMove { outcome: &outcome, root };
        assert_eq!(response.to_string(), "bestmove (none)");
    }

    #[test]
    fn a_message_with_line_breaks_is_printed_as_one_line() {
        assert_eq!(Response::Message(&"a\r\nb\0c").to_string(), "info string a  b c");
    }
}
