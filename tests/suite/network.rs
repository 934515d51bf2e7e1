//! The network: its value does not depend on the path to a position, and agrees with the definition
//! in the file format.

use std::sync::Arc;

use outrider_engine::evaluation::network::HIDDEN;
use outrider_engine::evaluation::network::features::{FEATURES, INPUTS, View, output_bucket};
use outrider_engine::evaluation::network::file::NetworkWeights;
use outrider_engine::evaluation::network::threats::threatened;
use outrider_engine::evaluation::{Accumulators, Network};
use outrider_engine::position::notation::parse_fen_any;
use outrider_engine::position::{Attacks, Board};
use outrider_engine::units::Score;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use shakmaty::{CastlingMode, Chess, Color, Position as _};

use crate::support::games::{playouts, positions};

/// Random weights, about as large as those of real networks.
fn random(seed: u64, buckets: usize) -> NetworkWeights {
    let mut rng = SmallRng::seed_from_u64(seed);
    NetworkWeights {
        hidden: HIDDEN,
        buckets,
        scale: 400,
        description: format!("random weights of seed {seed}"),
        feature_weights: (0..INPUTS * HIDDEN).map(|_| rng.random_range(-60..=60)).collect(),
        threat_weights: (0..FEATURES * HIDDEN).map(|_| rng.random_range(-60..=60)).collect(),
        feature_biases: (0..HIDDEN).map(|_| rng.random_range(-100..=300)).collect(),
        output_weights: (0..buckets * 2 * HIDDEN).map(|_| rng.random_range(-127..=127)).collect(),
        output_biases: (0..buckets).map(|_| rng.random_range(-5_000..=5_000)).collect(),
    }
}

fn networks() -> impl Strategy<Value = (NetworkWeights, Arc<Network>)> {
    (0..4_u64, prop::sample::select(&[1, 4, 8][..])).prop_map(|(seed, buckets)| {
        let weights = random(seed, buckets);
        let network = Network::new(&weights).expect("these weights cannot overflow");
        (weights, Arc::new(network))
    })
}

/// Computes the value by the definition in the module of the file format, in the simplest way.
fn by_definition(weights: &NetworkWeights, chess: &Chess) -> Score {
    let board = chess.board();
    let threatened = threatened(board, &Attacks::of_both(board));
    let bucket = output_bucket(board.occupied().count(), weights.buckets);
    let mut sum = 0;
    for (half, perspective) in [chess.turn(), !chess.turn()].into_iter().enumerate() {
        let king = board.king_of(perspective).expect("there is a king");
        let view = View::new(perspective, king);
        for unit in 0..HIDDEN {
            let mut a = i64::from(weights.feature_biases[unit]);
            for (square, piece) in board {
                let input = view.input(perspective, piece, square);
                a += i64::from(weights.feature_weights[input * HIDDEN + unit]);
                if threatened.contains(square) {
                    let feature = view.feature(perspective, piece, square);
                    a += i64::from(weights.threat_weights[feature * HIDDEN + unit]);
                }
            }
            let v = a.clamp(0, 160);
            let weight = weights.output_weights[(2 * bucket + half) * HIDDEN + unit];
            sum += v * v * i64::from(weight);
        }
    }
    let bias = i64::from(weights.output_biases[bucket]);
    let value = (sum / 160 + bias) * i64::from(weights.scale) / (160 * 64);
    Score::new(value as i32).clamp_static()
}

/// Actions of a search at a position.
#[derive(Clone, Copy, Debug)]
struct Step {
    asks: bool,
    tries_null_move: bool,
    takes_back: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.2))
        .prop_map(|(asks, tries_null_move, takes_back)| Step { asks, tries_null_move, takes_back });
    prop::collection::vec(step, 120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_value_is_that_of_the_definition((weights, network) in networks(), chess in positions(120)) {
        let expected = by_definition(&weights, &chess);
        prop_assert_eq!(network.value(chess.board(), chess.turn()), expected);
        let board = Board::new(chess);
        let mut accumulators = Accumulators::new(network);
        accumulators.refresh(&board);
        prop_assert_eq!(accumulators.value(&board), expected);
    }

    /// The path may have null moves and moves taken back, with or without evaluations in between,
    /// and the same accumulators may have been used for another game before.
    #[test]
    fn a_value_does_not_depend_on_the_way_to_the_position(
        (_, network) in networks(), games in prop::collection::vec((playouts(120), steps()), 1..3),
    ) {
        let mut accumulators = Accumulators::new(Arc::clone(&network));
        let expected = |board: &Board| network.value(board.chess().board(), board.chess().turn());
        for (playout, steps) in games {
            let mut path = vec![Board::new(playout.start.clone())];
            accumulators.refresh(&path[0]);
            for ((_, mv), step) in playout.steps().zip(steps) {
                let mut board = path.last().expect("the path has a beginning").clone();
                if step.tries_null_move && let Some(passed) = board.after_null_move() {
                    accumulators.push_null();
                    if step.asks {
                        prop_assert_eq!(accumulators.value(&passed), expected(&passed));
                    }
                    let reply = passed.legal_moves().first().copied();
                    if let Some(reply) = reply {
                        let mut after = passed.clone();
                        after.play(reply);
                        accumulators.push(reply, &after);
                        prop_assert_eq!(accumulators.value(&after), expected(&after));
                        accumulators.pop();
                    }
                    accumulators.pop();
                }
                board.play(mv);
                accumulators.push(mv, &board);
                if step.asks {
                    prop_assert_eq!(accumulators.value(&board), expected(&board));
                }
                if step.takes_back {
                    accumulators.pop();
                    let before = path.last().expect("the path has a beginning");
                    prop_assert_eq!(accumulators.value(before), expected(before));
                    accumulators.push(mv, &board);
                }
                path.push(board);
            }
            // The same again when moves are taken back.
            while let Some(board) = path.pop() {
                prop_assert_eq!(accumulators.value(&board), expected(&board));
                if !path.is_empty() {
                    accumulators.pop();
                }
            }
        }
    }
}

/// The king does not move, or the rook moves to the king's square, or both change places, or the
/// castling king changes the mirroring of the files.
#[test]
fn accumulators_follow_every_kind_of_chess960_castling() {
    let network = Arc::new(Network::new(&random(7, 4)).expect("these weights cannot overflow"));
    for (fen, target) in [
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "h1"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "g1"),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "c1"),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "b1"),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "a1"),
        ("1r3k1r/8/8/8/8/8/8/1R3K1R b HBhb - 0 1", "b8"),
        ("1r3k1r/8/8/8/8/8/8/1R3K1R b HBhb - 0 1", "h8"),
    ] {
        let mut board = Board::new(parse_fen_any(fen).expect("a good FEN"));
        assert_eq!(board.chess().castles().mode(), CastlingMode::Chess960, "{fen}");
        let mut accumulators = Accumulators::new(Arc::clone(&network));
        accumulators.refresh(&board);
        let before = accumulators.value(&board);
        let castling = board
            .legal_moves()
            .into_iter()
            .find(|mv| mv.is_castle() && mv.to().to_string() == target);
        let castling = castling.unwrap_or_else(|| panic!("no castling to {target} in {fen}"));
        board.play(castling);
        accumulators.push(castling, &board);
        let value = accumulators.value(&board);
        assert_eq!(value, network.value(board.chess().board(), board.chess().turn()), "{fen}");
        assert_ne!(value, before, "{fen}");
    }
}

#[test]
fn a_network_of_material_returns_the_values_of_pieces() {
    let network = Network::new(&NetworkWeights::material()).expect("these weights cannot overflow");
    let value = |fen: &str| {
        let chess = parse_fen_any(fen).expect("a good FEN");
        network.value(chess.board(), chess.turn()).centipawns()
    };
    let initial = |pieces: &str, turn: char| {
        value(&format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/{pieces} {turn} - - 0 1"))
    };
    assert_eq!(initial("RNBQKBNR", 'w'), 0);
    for (pieces, worth) in
        [("RNB1KBNR", 900), ("1NBQKBNR", 500), ("R1BQKBNR", 300), ("RN1QKBNR", 300)]
    {
        let (for_white, for_black) = (initial(pieces, 'w'), initial(pieces, 'b'));
        assert_eq!(for_white, -for_black);
        assert!((for_black - worth).abs() <= worth / 100, "{pieces}: {for_black}");
    }
    assert_eq!(value("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 100);
    assert_eq!(value("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"), -100);
}

#[test]
fn a_network_of_another_size_is_an_error() {
    let small = NetworkWeights {
        hidden: 16,
        feature_weights: vec![0; INPUTS * 16],
        threat_weights: vec![0; FEATURES * 16],
        feature_biases: vec![0; 16],
        output_weights: vec![0; 32],
        ..NetworkWeights::material()
    };
    let refusal = Network::new(&small).expect_err("it has 16 units").to_string();
    assert_eq!(
        refusal,
        format!(
            "it has 16 hidden units, but this build needs {HIDDEN}; compile with EVALFILE to use it"
        )
    );
}

#[test]
fn the_same_position_has_the_same_value_for_both_colours() {
    let network = Network::new(&random(3, 8)).expect("these weights cannot overflow");
    let chess = parse_fen_any("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")
        .expect("a good FEN");
    let mut flipped = chess.board().clone();
    flipped.flip_vertical();
    flipped.swap_colors();
    let value = network.value(chess.board(), Color::White);
    assert_eq!(network.value(&flipped, Color::Black), value);
    assert_ne!(network.value(&flipped, Color::White), value);
}
