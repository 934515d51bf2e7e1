//! The static evaluation: it does not care which colour is whose, nor by which way a position was
//! reached.

use outrider::evaluation::network::Network;
use outrider::evaluation::{Evaluation, Evaluator};
use outrider::position::Board;
use outrider::units::Score;
use proptest::prelude::*;
use shakmaty::{Chess, EnPassantMode, Position as _};

use crate::support::games::{playouts, positions};

fn fresh_value(board: &Board) -> Score {
    let mut evaluation = Evaluation::new(Network::built_in());
    evaluation.refresh(board);
    evaluation.value(board)
}

/// The same position with the colours of everything exchanged.
fn colours_flipped(chess: &Chess) -> Chess {
    let setup = chess.to_setup(EnPassantMode::Always).into_mirrored();
    setup.position(chess.castles().mode()).expect("a mirrored position can be played")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn both_colours_value_the_same_position_alike(chess in positions(120)) {
        let flipped = Board::new(colours_flipped(&chess));
        prop_assert_eq!(fresh_value(&Board::new(chess)), fresh_value(&flipped));
    }

    #[test]
    fn a_value_does_not_depend_on_the_way_to_the_position(playout in playouts(120)) {
        let mut board = Board::new(playout.start.clone());
        let mut evaluation = Evaluation::new(Network::built_in());
        evaluation.refresh(&board);
        let mut values = vec![(board.clone(), evaluation.value(&board))];
        for &mv in &playout.moves {
            if let Some(passed) = board.pass() {
                evaluation.push_null();
                prop_assert_eq!(evaluation.value(&passed), fresh_value(&passed));
                evaluation.pop();
            }
            evaluation.push(&board, mv);
            board.play(mv);
            let value = evaluation.value(&board);
            prop_assert_eq!(value, fresh_value(&board));
            prop_assert!(!value.is_mate());
            values.push((board.clone(), value));
        }
        // And the same again on the way back.
        while let Some((board, value)) = values.pop() {
            prop_assert_eq!(evaluation.value(&board), value);
            if !values.is_empty() {
                evaluation.pop();
            }
        }
    }
}
