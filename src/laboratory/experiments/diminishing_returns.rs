//! How often a search one ply deeper plays a better move: the question of diminishing returns in
//! Batenkov's survey (2006), after Junghanns, Schaeffer, Brockington, Björnsson and Marsland
//! (1997).
//!
//! Here the engine itself searches, with all its selectivity, because the question is about
//! programs that play. The positions are a random one from each of many games that the engine plays
//! against itself. The moves that it would play after each depth are judged by a deeper search
//! restricted to this move. The judge is the same engine and has the same blind spots: the results
//! show how a program outplays itself, not how strong it is.

use std::ops::RangeInclusive;

use rand::RngExt as _;
use serde::Serialize;
use shakmaty::Move;

use super::experiment::{Claim, CsvTable, Experiment, ExperimentError, Findings, rounded};
use super::plan::Plan;
use super::statistics::Sample;
use outrider_engine::evaluation::network::Network;
use outrider_engine::openings::random_numbers;
use outrider_engine::position::{Board, Position};
use outrider_engine::search::{Bound, Control, Engine, Limits, MemoryError, Report};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};
use outrider_tools::selfplay::{Conditions, Endgames, GameSettings, Player};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "diminishing-returns",
    about: "how often the engine plays a better move with one ply more (Batenkov 2006, section \
            1.3); --trees is the number of positions",
    usual_trees: 400,
    run,
};

/// Depths in plies; each is compared with the one before.
const DEPTHS: RangeInclusive<usize> = 2..=12;
/// Depth of the judging search. Its score is the mean of this depth's score and the previous
/// depth's, because searches to even depths agree more with those to other even depths, and odd
/// ones with odd ones.
const JUDGE: usize = 16;
/// Nodes per move in the games with the positions.
const GAME_NODES: u32 = 1000;
const TABLE_MEGABYTES: usize = 8;
/// Maximum gain or loss of a move, in centipawns; larger differences such as mates are cut to this.
const MAX_GAIN: f64 = 300.0;

/// Line of the table: the effect of one more ply.
#[derive(Debug, Serialize)]
struct Row {
    depth: usize,
    positions: usize,
    /// Positions with another move than one ply before.
    changed: usize,
    /// Positions in which the judge's score of the new move is better, worse or equal.
    better: usize,
    worse: usize,
    as_good: usize,
    changed_percent: f64,
    better_percent: f64,
    worse_percent: f64,
    /// Mean gain in the judge's score over all positions, in centipawns, at most 300 in each.
    mean_gain: f64,
    mean_gain_error: f64,
}

/// The move played after each depth in a position, and the judge's score of it in centipawns. There
/// are fewer depths if the search ends early because the result of the game is forced.
type JudgedMoves = Vec<(Move, f64)>;

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    let games: Vec<u32> = (0..plan.trees).collect();
    let judged = plan.map(&games, |_| 1, |&game| judge_on_large_stack(plan.seed, game))?;
    let judged: Vec<JudgedMoves> = judged.into_iter().collect::<Result<_, _>>()?;
    let rows: Vec<Row> = DEPTHS.map(|depth| row(depth, &judged)).collect();
    Ok(Findings {
        counts: CsvTable::of(&rows)?,
        times: None,
        claims: claims(&rows),
        chart: chart(&rows, plan.trees),
    })
}

/// The engine needs more stack than a thread has by default.
fn judge_on_large_stack(seed: u64, game: u32) -> Result<JudgedMoves, ExperimentError> {
    Ok(Engine::run_on_own_thread(|| judge(seed, game))??)
}

fn judge(seed: u64, game: u32) -> Result<JudgedMoves, MemoryError> {
    let Some(board) = position_of_game(seed, game)? else {
        return Ok(JudgedMoves::new());
    };
    let position = Position::new(board.chess().clone());
    let mut engine = Engine::new(1, TABLE_MEGABYTES)?;
    let mut judged = JudgedMoves::new();
    let deepest = Limits::depth(*DEPTHS.end() as i32);
    for (mv, _) in by_depth(&mut engine, &position, &deepest) {
        let known = judged.iter().find(|(earlier, _)| *earlier == mv).map(|&(_, score)| score);
        let score = known.unwrap_or_else(|| {
            // The table and histories of other searches must not influence this one.
            engine.new_game();
            let limits = Limits { search_moves: vec![mv], ..Limits::depth(JUDGE as i32) };
            let verdicts = by_depth(&mut engine, &position, &limits);
            verdict(&verdicts)
        });
        judged.push((mv, score));
    }
    Ok(judged)
}

/// Returns the judge's score: the mean of the two deepest searches, or the only one.
fn verdict(by_depth: &[(Move, f64)]) -> f64 {
    let last: Sample = by_depth.iter().rev().take(2).map(|&(_, score)| score).collect();
    last.mean()
}

/// Returns a random position of a game of the engine against itself.
fn position_of_game(seed: u64, game: u32) -> Result<Option<Board>, MemoryError> {
    let settings =
        GameSettings { seed, nodes: GAME_NODES, chess960_permille: 0, ..GameSettings::default() };
    let conditions = Conditions::new(settings, Network::built_in(), Endgames::default());
    let Some(played) = Player::new(&conditions)?.play(game, &Control::default()) else {
        return Ok(None);
    };
    // The game uses the random numbers with its own number, so this uses others.
    let mut random = random_numbers(!seed, u64::from(game));
    let chosen = random.random_range(0..played.moves.len().max(1));
    Ok(played.replay().nth(chosen).and_then(Result::ok).map(|sample| sample.board))
}

/// Returns the move that would be played after each depth from 1 on, and its score.
fn by_depth(engine: &mut Engine, position: &Position, limits: &Limits) -> Vec<(Move, f64)> {
    let mut moves = Vec::new();
    let note: &mut dyn FnMut(Report) = &mut |report| {
        if let Report::Line(line) = report
            && line.bound == Bound::Exact
            && let Some(&best) = line.moves.first()
        {
            let found = (best, f64::from(line.score.centipawns()));
            // The last line of a depth counts.
            moves.resize(line.depth.plies().max(1) as usize - 1, found);
            moves.push(found);
        }
    };
    engine.go_on_this_thread(position, limits, &Control::default(), Some(note));
    moves
}

fn row(depth: usize, judged: &[JudgedMoves]) -> Row {
    let steps =
        judged.iter().filter_map(|moves| Some((moves.get(depth - 2)?, moves.get(depth - 1)?)));
    let gains: Vec<(bool, f64)> =
        steps.map(|((before, was), (after, is))| (before != after, is - was)).collect();
    let count =
        |wanted: fn(&(bool, f64)) -> bool| gains.iter().filter(|&gain| wanted(gain)).count();
    let percent = |count: usize| rounded(100.0 * count as f64 / gains.len().max(1) as f64);
    let (changed, better) = (count(|&(changed, _)| changed), count(|&(_, gain)| gain > 0.0));
    let worse = count(|&(_, gain)| gain < 0.0);
    let gain: Sample = gains.iter().map(|&(_, gain)| gain.clamp(-MAX_GAIN, MAX_GAIN)).collect();
    Row {
        depth,
        positions: gains.len(),
        changed,
        better,
        worse,
        as_good: changed - better - worse,
        changed_percent: percent(changed),
        better_percent: percent(better),
        worse_percent: percent(worse),
        mean_gain: rounded(gain.mean()),
        mean_gain_error: rounded(gain.standard_error()),
    }
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let shares = |row: &Row| {
        let (better, worse) = (row.better_percent, row.worse_percent);
        format!("{better:.1}, {worse:.1}, {:+.1} (d={})", better - worse, row.depth)
    };
    let gain = |row: &Row| {
        let Row { mean_gain, mean_gain_error, depth, .. } = row;
        format!("{mean_gain:.1} ± {mean_gain_error:.1} (d={depth})")
    };
    let each =
        |write: &dyn Fn(&Row) -> String| rows.iter().map(write).collect::<Vec<_>>().join("; ");
    vec![Claim {
        paper: "it has not been conclusively demonstrated that chess exhibits diminishing returns",
        measured: format!(
            "percent of positions in which one ply more plays a better move, a worse one, and the \
             difference: {}; gained on average, centipawns: {}",
            each(&shares),
            each(&gain)
        ),
    }]
}

fn chart(rows: &[Row], positions: u32) -> Chart {
    let share = |name: &str, percent: fn(&Row) -> f64| {
        let point = |row: &Row| {
            let share = percent(row);
            let error = (share * (100.0 - share) / row.positions.max(1) as f64).sqrt();
            DataPoint { error, ..DataPoint::new(row.depth as f64, share) }
        };
        Curve::line(name, rows.iter().map(point))
    };
    let gain = rows.iter().map(|row| DataPoint {
        error: row.mean_gain_error,
        ..DataPoint::new(row.depth as f64, row.mean_gain)
    });
    let panel = |title: &str, y: Axis, curves| Panel {
        title: title.to_owned(),
        x: Axis::linear("depth in plies").with_ticks(DEPTHS.map(|depth| depth as f64)),
        y: y.including(0.0),
        curves,
        level: None,
    };
    let shares = vec![
        share("another move", |row| row.changed_percent),
        share("a better move", |row| row.better_percent),
        share("a worse move", |row| row.worse_percent),
    ];
    Chart {
        title: "What one ply more is worth".to_owned(),
        note: format!(
            "{positions} positions of games; moves judged by searches to depths {} and {JUDGE}; bars are \
             standard errors",
            JUDGE - 1
        ),
        columns: 2,
        panels: vec![
            panel("how often the move changes", Axis::linear("% of the positions"), shares),
            panel(
                "gain",
                Axis::linear("centipawns a position"),
                vec![Curve::line("gain on average", gain)],
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position as _};

    #[test]
    fn a_changed_move_is_better_worse_or_equal() {
        let moves = Chess::default().legal_moves();
        let judged =
            |scores: [(usize, f64); 3]| scores.map(|(mv, score)| (moves[mv], score)).to_vec();
        let positions = [
            judged([(0, 10.0), (1, 30.0), (1, 30.0)]),
            judged([(0, 10.0), (0, 10.0), (1, 0.0)]),
            judged([(0, 10.0), (1, 10.0), (2, 5000.0)]),
            judged([(3, 0.0), (3, 0.0), (3, 0.0)]),
        ];
        let second = row(2, &positions);
        assert_eq!((second.positions, second.changed), (4, 2));
        assert_eq!((second.better, second.worse, second.as_good), (1, 0, 1));
        assert_eq!(second.mean_gain, 5.0);
        let third = row(3, &positions);
        assert_eq!((third.changed, third.better, third.worse, third.as_good), (2, 1, 1, 0));
        assert_eq!(third.mean_gain, (MAX_GAIN - 10.0) / 4.0);
        assert_eq!(row(4, &positions).positions, 0);
    }

    #[test]
    fn the_judge_uses_its_two_deepest_searches() {
        let mv = Chess::default().legal_moves()[0];
        let score_of =
            |scores: &[f64]| verdict(&scores.iter().map(|&score| (mv, score)).collect::<Vec<_>>());
        assert_eq!(score_of(&[-500.0, 10.0, 20.0, 40.0]), 30.0);
        assert_eq!(score_of(&[10.0, 20.0]), 15.0);
        assert_eq!(score_of(&[10.0]), 10.0);
    }

    #[test]
    fn the_same_seed_gives_the_same_positions_and_judgements() {
        let plan = |threads| Plan { trees: 2, seed: 3, threads, progress: &() };
        let table = |threads| run(&plan(threads)).unwrap().counts;
        assert_eq!(table(1), table(2));
    }
}
