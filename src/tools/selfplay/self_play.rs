//! Plays one game of the search against itself.

use std::sync::Arc;

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position as _};

use super::adjudication::{Adjudicator, is_played_out, winning_score};
use super::endgames::Endgames;
use super::filter::Filter;
use super::game::{Deviation, Game, GameResult, ScoredMove};
use super::header::{BookSettings, GameSettings};
use outrider_engine::evaluation::network::Network;
use outrider_engine::openings::{OpeningBook, Openings, random_numbers};
use outrider_engine::position::notation::format_fen;
use outrider_engine::position::{Board, PackedMove, Position, see_ge};
use outrider_engine::search::{Control, Engine, Limits, MemoryError};
use outrider_engine::units::Ply;

/// Size of a player's transposition table. A game of short searches does not fill a larger one, and a
/// small one stays in the processor's caches.
pub(super) const TABLE_MEGABYTES: usize = 2;
/// Soft node limit of the search that checks whether an opening is balanced: enough to see hanging
/// pieces.
const OPENING_NODES: u64 = 1_000;
/// Smallest number of pieces and the share of the nodes that a move gets from there on. A third of all
/// moves is played with few pieces, where a short search sees as much and a network has the least to
/// learn.
const NODE_SHARES_BY_PIECES: [(usize, f64); 3] = [(13, 1.0), (9, 0.6), (0, 0.4)];
/// Share of the nodes if the filter excludes the position, certainly or very likely, whatever its score:
/// the game needs only a sensible move there.
const UNUSED_SCORE_SHARE: f64 = 0.4;
/// Random moves tried to find one that leads to a position to train on.
const DEVIATION_TRIES: usize = 4;

/// Settings of a run, with its network and its endgames.
pub struct Conditions {
    settings: GameSettings,
    network: Arc<Network>,
    endgames: Endgames,
    book: Option<OpeningBook>,
}

impl Conditions {
    /// Creates the conditions of a run. Sets the fields of the settings that follow from the network and
    /// the endgames: checksum, winning score and tables.
    pub fn new(settings: GameSettings, network: Arc<Network>, endgames: Endgames) -> Conditions {
        let settings = GameSettings {
            network: Some(network.checksum()),
            winning_score: winning_score(network.scale().into()),
            tables: endgames.has_tables(),
            ..settings
        };
        Conditions { settings, network, endgames, book: None }
    }

    /// Begins this share of the games, in thousandths, from positions of a book, with one to four random
    /// plies after them. Sets the settings that describe the book.
    pub fn with_book(mut self, positions: Vec<Chess>, permille: u16) -> Conditions {
        let mut hasher = crc32fast::Hasher::new();
        positions.iter().for_each(|chess| hasher.update(format_fen(chess).as_bytes()));
        self.settings.book = Some(BookSettings { checksum: hasher.finalize(), permille });
        self.book = Some(OpeningBook { positions, permille, few_plies: true });
        self
    }

    /// Returns the complete settings.
    pub fn settings(&self) -> GameSettings {
        self.settings
    }

    /// Returns the known endgames.
    pub fn endgames(&self) -> &Endgames {
        &self.endgames
    }
}

/// Plays both sides of a game. Its thread needs [`Engine::STACK_SIZE`] bytes of stack.
pub struct Player<'a> {
    conditions: &'a Conditions,
    openings: Openings,
    engine: Engine,
}

impl<'a> Player<'a> {
    /// Creates a player for a run with these conditions.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory for its transposition table.
    pub fn new(conditions: &'a Conditions) -> Result<Player<'a>, MemoryError> {
        let settings = conditions.settings;
        let openings = Openings {
            book: conditions.book.clone(),
            chess960_permille: settings.chess960_permille,
            nodes: OPENING_NODES,
            balance: None,
        };
        let mut engine = Engine::new(1, TABLE_MEGABYTES)?;
        engine.set_network(Arc::clone(&conditions.network));
        Ok(Player { conditions, openings, engine })
    }

    /// Plays the game with this number; the same number always gives the same game. Returns `None` if
    /// `control` is stopped before its end, or if no balanced opening is found.
    pub fn play(&mut self, number: u32, control: &Control) -> Option<Game> {
        let mut random = random_numbers(self.conditions.settings.seed, u64::from(number));
        self.engine.new_game();
        let start = self.openings.sample(&mut random, &mut self.engine, control)?;
        let is_played_out = is_played_out(number);
        let mut game = Game {
            number,
            start,
            result: GameResult::Draw,
            is_played_out,
            moves: Vec::with_capacity(256),
            deviations: Vec::new(),
        };
        game.result = self.play_on(&mut game, &mut random, control)?;
        Some(game)
    }

    /// Plays the game from its start position to its end and returns the result.
    fn play_on(
        &mut self,
        game: &mut Game,
        random: &mut ChaCha8Rng,
        control: &Control,
    ) -> Option<GameResult> {
        let Conditions { settings, endgames, .. } = self.conditions;
        let mut position = Position::new(game.start.clone());
        let mut adjudicator = Adjudicator::new(settings.winning_score);
        loop {
            if let Some(result) = result_by_rule(&position) {
                return Some(result);
            }
            let ScoredMove { mv, score } = self.search(&position, control)?;
            let ply = game.moves.len() as u16;
            game.moves.push(ScoredMove { mv, score });
            if !game.is_played_out {
                let chess = position.chess();
                let by_score = adjudicator.add_score(score, chess);
                let by_endgame = adjudicator.add_endgame(endgames.result(chess));
                if let Some(result) = by_endgame.or(by_score) {
                    return Some(result);
                }
            }
            let best = position.board().legal_move(mv)?;
            if random.random_ratio(u32::from(settings.deviations_permille.min(1000)), 1000) {
                game.deviations.extend(self.deviate(&mut position, ply, best, random, control));
            }
            position.push(best);
        }
    }

    /// Returns the best move with White's score, or `None` if the search is stopped.
    fn search(&mut self, position: &Position, control: &Control) -> Option<ScoredMove> {
        let nodes = nodes_for(position.board(), self.conditions.settings.nodes);
        let outcome =
            self.engine.go_on_this_thread(position, &Limits::soft_nodes(nodes), control, None);
        let best = outcome.best.filter(|_| !control.is_stopped())?;
        let score = position.turn().fold_wb(outcome.score, -outcome.score);
        Some(ScoredMove { mv: PackedMove::new(best), score })
    }

    /// Makes a random move instead of the best one and searches the position after it. Returns `None` if
    /// no move tried keeps the material and leads to a position to train on.
    fn deviate(
        &mut self,
        position: &mut Position,
        ply: u16,
        best: Move,
        random: &mut ChaCha8Rng,
        control: &Control,
    ) -> Option<Deviation> {
        let chess = position.chess();
        let mut others = chess.legal_moves();
        others.retain(|&mut mv| mv != best && see_ge(chess, mv, 0));
        let (tried, _) = others.partial_shuffle(random, DEVIATION_TRIES);
        for &mut mv in tried {
            position.push(mv);
            let is_wanted = result_by_rule(position).is_none()
                && !Filter::default().excludes_before_search(position.board());
            let found = is_wanted.then(|| self.search(position, control));
            position.pop();
            if let Some(found) = found {
                let found = found.filter(|found| !found.score.is_mate())?;
                return Some(Deviation { ply, mv: PackedMove::new(mv), found });
            }
        }
        None
    }
}

/// Returns the soft node limit for this position. A position with many pieces gets `nodes`.
pub(super) fn nodes_for(board: &Board, nodes: u32) -> u64 {
    let pieces = board.chess().board().occupied().count();
    let share = NODE_SHARES_BY_PIECES
        .into_iter()
        .find_map(|(from, share)| (pieces >= from).then_some(share));
    let is_label = !Filter::default().excludes_before_search(board);
    let share = if is_label { share.unwrap_or(1.0) } else { UNUSED_SCORE_SHARE };
    (f64::from(nodes) * share).ceil() as u64
}

/// Returns the result if the game is over by the rules.
fn result_by_rule(position: &Position) -> Option<GameResult> {
    if position.board().legal_moves().is_empty() {
        let winner = position.board().in_check().then(|| !position.turn());
        return Some(GameResult::from_winner(winner));
    }
    position.is_drawn(Ply::ROOT).then_some(GameResult::Draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::LabelledPosition;
    use outrider_engine::position::notation::{parse_fen_any, parse_move};

    fn position(fen: &str) -> Position {
        Position::new(parse_fen_any(fen).unwrap())
    }

    fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        Engine::run_on_own_thread(work).unwrap()
    }

    #[test]
    fn games_end_by_rule() {
        let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
        assert_eq!(result_by_rule(&position(mated)), Some(GameResult::WhiteWins));
        let mating_after_fifty_moves = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90";
        let winner = result_by_rule(&position(mating_after_fifty_moves));
        assert_eq!(winner, Some(GameResult::WhiteWins));
        let mated = "6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1";
        assert_eq!(result_by_rule(&position(mated)), Some(GameResult::BlackWins));
        for drawn in [
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "7k/8/6K1/8/8/8/8/R7 b - - 100 90",
            "7k/8/6K1/8/8/8/8/B7 b - - 0 1",
        ] {
            assert_eq!(result_by_rule(&position(drawn)), Some(GameResult::Draw), "{drawn}");
        }
        assert_eq!(result_by_rule(&Position::default()), None);
    }

    #[test]
    fn moves_with_fewer_pieces_get_fewer_nodes() {
        let nodes = |fen: &str| nodes_for(position(fen).board(), 1_000);
        assert_eq!(nodes("4k3/pppppp2/8/8/8/8/PPPPP3/4K3 w - - 0 9"), 1_000);
        assert_eq!(nodes("4k3/pppppp2/8/8/8/8/PPPP4/4K3 w - - 0 9"), 600);
        assert_eq!(nodes("4k3/pppp4/8/8/8/8/PPP5/4K3 w - - 0 9"), 600);
        assert_eq!(nodes("4k3/pppp4/8/8/8/8/PP6/4K3 w - - 0 9"), 400);
        assert_eq!(nodes_for(position("4k3/8/8/8/8/8/8/4K2R w - - 0 9").board(), 1), 1);
    }

    #[test]
    fn moves_whose_score_is_not_used_get_fewer_nodes() {
        let nodes = |fen: &str| nodes_for(position(fen).board(), 1_000);
        assert_eq!(nodes("4k3/pppppp2/8/4q3/8/8/PPPPP3/4K3 w - - 39 30"), 1_000);
        assert_eq!(nodes("4k3/pppppp2/8/4q3/3P4/8/PPPP4/4K3 w - - 0 30"), 400, "a hanging queen");
        assert_eq!(nodes("4k3/pppp4/5p2/4p3/3P4/8/PPPP1P2/4K3 w - - 0 30"), 1_000, "an even trade");
        assert_eq!(nodes("4k3/pppppp2/8/4q3/8/8/PPPP4/4K3 w - - 0 30"), 400, "in check");
        assert_eq!(nodes("4k3/pppppp2/8/4q3/8/8/PPPPP3/4K3 w - - 40 30"), 400, "no progress");
        assert_eq!(nodes("4k3/pppppp2/8/4q3/8/8/PPPPP3/4K3 w - - 0 5"), 400, "the first plies");
    }

    #[test]
    fn a_game_ends_with_the_third_occurrence_of_a_position() {
        let mut position = Position::default();
        for (played, text) in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(8).enumerate() {
            assert_eq!(result_by_rule(&position), None, "after {played} plies");
            let mv = parse_move(position.chess(), text).unwrap();
            position.push(mv);
        }
        assert_eq!(result_by_rule(&position), Some(GameResult::Draw));
    }

    fn conditions(nodes: u32, chess960_permille: u16) -> Conditions {
        let settings =
            GameSettings { seed: 5, nodes, chess960_permille, ..GameSettings::default() };
        Conditions::new(settings, Network::built_in(), Endgames::default())
    }

    #[test]
    fn a_game_depends_only_on_settings_and_number() {
        let conditions = conditions(60, 500);
        on_a_large_stack(|| {
            let mut player = Player::new(&conditions).unwrap();
            let control = Control::default();
            let forwards: Vec<_> = (0..4).map(|number| player.play(number, &control)).collect();
            let mut other = Player::new(&conditions).unwrap();
            for number in [3, 1, 2, 0] {
                let game = other.play(number, &control).unwrap();
                assert_eq!(Some(&game), forwards[number as usize].as_ref());
                assert!(game.replay().all(|position| position.is_ok()));
                assert!(!game.moves.is_empty());
            }
        });
    }

    #[test]
    fn games_begin_from_the_book_in_its_share_with_one_to_four_plies() {
        let rooks = position("r3k3/ppp2ppp/8/8/8/8/PPP2PPP/R3K3 w - - 0 1");
        let begun = |permille| {
            let conditions = conditions(10, 0).with_book(vec![rooks.chess().clone()], permille);
            assert_eq!(conditions.settings.book.map(|book| book.permille), Some(permille));
            on_a_large_stack(|| {
                let mut player = Player::new(&conditions).unwrap();
                let games = (0..12).map(|number| player.play(number, &Control::default()));
                let starts = games.map(|game| game.unwrap().start);
                let from_book = |start: &Chess| start.board().queens().is_empty();
                let from_book: Vec<Chess> = starts.filter(from_book).collect();
                let plies = |start: &Chess| start.halfmoves() <= 4;
                assert!(from_book.iter().all(plies), "{from_book:?}");
                from_book.len()
            })
        };
        assert_eq!((begun(0), begun(1000)), (0, 12));
        assert!((2..11).contains(&begun(500)));
    }

    #[test]
    fn a_game_ends_with_the_move_that_decides_it_unless_it_is_played_out() {
        let conditions = conditions(60, 0);
        let (mut ended, mut played_on) = (0, 0);
        let games: Vec<Game> = on_a_large_stack(|| {
            let mut player = Player::new(&conditions).unwrap();
            (0..60).map(|number| player.play(number, &Control::default()).unwrap()).collect()
        });
        for game in games {
            let mut adjudicator = Adjudicator::new(conditions.settings.winning_score);
            let mut verdicts = game.replay().map(|position| {
                let LabelledPosition { board, white_score, .. } = position.unwrap();
                let by_score = adjudicator.add_score(white_score, board.chess());
                let known = conditions.endgames.result(board.chess());
                adjudicator.add_endgame(known).or(by_score)
            });
            let decided = verdicts.position(|verdict| verdict.is_some());
            let last = game.moves.len() - 1;
            match decided {
                Some(ply) if game.is_played_out => played_on += usize::from(ply < last),
                Some(ply) => {
                    assert_eq!(ply, last, "game {}", game.number);
                    ended += 1;
                }
                None => {}
            }
        }
        assert!(ended > 10 && played_on > 0, "{ended} and {played_on}");
    }

    #[test]
    fn positions_off_the_line_of_play_pass_the_filter_for_training() {
        let mut conditions = conditions(60, 0);
        conditions.settings.deviations_permille = 1_000;
        let games: Vec<Game> = on_a_large_stack(|| {
            let mut player = Player::new(&conditions).unwrap();
            (0..6).map(|number| player.play(number, &Control::default()).unwrap()).collect()
        });
        let deviations: Vec<_> = games
            .iter()
            .flat_map(Game::replay_deviations)
            .map(|position| position.unwrap().board)
            .collect();
        let moves: usize = games.iter().map(|game| game.moves.len()).sum();
        assert!(2 * deviations.len() > moves, "{} of {moves}", deviations.len());
        for board in deviations {
            assert!(!Filter::default().excludes_before_search(&board), "{board:?}");
        }
    }

    #[test]
    fn a_stopped_game_is_discarded() {
        let conditions = conditions(60, 0);
        let control = Control::default();
        control.stop();
        let game = on_a_large_stack(|| Player::new(&conditions).unwrap().play(0, &control));
        assert_eq!(game, None);
    }
}
