//! stub
use super::Evaluator;
use crate::{position::Board, units::Score};
use shakmaty::Move;
/// stub
#[derive(Default)]
pub struct Classical;
impl Evaluator for Classical {
    fn refresh(&mut self, _: &Board) {}
    fn push(&mut self, _: &Board, _: Move) {}
    fn push_null(&mut self) {}
    fn pop(&mut self) {}
    fn value(&mut self, _: &Board) -> Score {
        Score::DRAW
    }
}
