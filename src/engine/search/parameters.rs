//! The tunable numbers of the search. Each is declared once, with its default, its range, and the
//! neutral value that switches its heuristic off.
//!
//! In an ordinary build a parameter is a constant. In a build with the feature `tune` it is a UCI
//! option, for tuning and for measuring the gain of a heuristic.

use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A tunable number.
#[derive(Debug)]
pub struct Parameter {
    /// Name, also of the UCI option.
    pub name: &'static str,
    /// Value with which the engine plays.
    pub default: i32,
    /// Least sensible value.
    pub min: i32,
    /// Greatest sensible value.
    pub max: i32,
    /// Value at which the heuristic does nothing, or as little as possible.
    pub neutral: i32,
    value: AtomicI32,
}

impl Parameter {
    /// Returns the current value.
    #[cfg(feature = "tune")]
    pub fn get(&self) -> i32 {
        self.value.load(Relaxed)
    }

    /// Sets the value for later searches, clamped to the parameter's range. Without the feature
    /// `tune` the search ignores it and uses the default.
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(self.min, self.max), Relaxed);
    }
}

/// Is true in a build for tuning, in which a changed parameter changes the search.
pub const TUNABLE: bool = cfg!(feature = "tune");

macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal in $min:literal..=$max:literal,
       neutral $neutral:literal;)+) => {
        #[allow(non_upper_case_globals)]
        mod declared {
            use super::*;
            $(pub(super) static $name: Parameter = Parameter {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                neutral: $neutral,
                value: AtomicI32::new($default),
            };)+
        }

        /// Returns all parameters in the order of their declaration.
        pub fn all() -> &'static [&'static Parameter] {
            static ALL: &[&Parameter] = &[$(&declared::$name),+];
            ALL
        }

        $(
            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            #[inline]
            pub fn $name() -> i32 {
                declared::$name.get()
            }

            $(#[doc = $doc])+
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub const fn $name() -> i32 {
                $default
            }
        )+
    };
}

parameters! {
    /// Half-width of the first aspiration window, in centipawns.
    aspiration_window: 12 in 4..=32000, neutral 32000;
    /// Growth of the half-width after a window failed, in percent.
    aspiration_growth: 76 in 10..=300, neutral 300;
    /// Least depth of an iteration that begins with an aspiration window.
    aspiration_min_depth: 4 in 1..=255, neutral 255;

    /// Upcoming repetition: 1, or 0 for off.
    upcoming_repetition: 1 in 0..=1, neutral 0;

    /// Least depth for enhanced transposition cut-offs (ETC).
    enhanced_cutoff_min_depth: 8 in 2..=255, neutral 255;

    /// Searches a node above beta if its king cannot move: 1, or 0 for off.
    boxed_in_king_guard: 1 in 0..=1, neutral 0;

    /// Greatest depth for reverse futility pruning (RFP).
    reverse_futility_max_depth: 7 in 0..=20, neutral 0;
    /// Margin of reverse futility pruning for each ply of depth, in centipawns.
    reverse_futility_margin: 44 in 10..=400, neutral 400;
    /// Subtracted from that margin if the opponent's last move made their evaluation fall, in
    /// centipawns.
    reverse_futility_opponent_worsening: 12 in 0..=200, neutral 0;
    /// Weight of the evaluation against beta in the score of a node pruned by this rule, in
    /// percent. The neutral value returns beta.
    reverse_futility_trust: 66 in 0..=100, neutral 0;

    /// Greatest depth for razoring.
    razoring_max_depth: 1 in 0..=10, neutral 0;
    /// Margin of razoring for each ply of depth, in centipawns.
    razoring_margin: 294 in 50..=1000, neutral 1000;

    /// Least depth for null move pruning (NMP).
    null_move_min_depth: 1 in 1..=255, neutral 255;
    /// Reduction of the null move search, in plies.
    null_move_reduction: 4 in 1..=8, neutral 1;
    /// Depth that adds a ply to the null move reduction.
    null_move_depth_divisor: 3 in 1..=255, neutral 255;
    /// Advantage over beta that adds a ply to the null move reduction, in centipawns.
    null_move_advantage_divisor: 82 in 50..=32000, neutral 32000;
    /// Most plies that an advantage adds to the null move reduction.
    null_move_advantage_max: 3 in 0..=10, neutral 0;
    /// Least depth at which a null move cut-off is verified by a search without null moves.
    null_move_verification_min_depth: 14 in 5..=255, neutral 255;
    /// Plies of the verifying search without null moves, in percent of its depth. The neutral value
    /// allows null moves at every ply.
    null_move_verification_share: 75 in 0..=100, neutral 0;

    /// Least depth for internal iterative reduction (IIR).
    internal_iterative_reduction_min_depth: 4 in 1..=255, neutral 255;

    /// Late move pruning (LMP): number of moves of any kind after which quiet moves are left out,
    /// at depth 0. The square of the depth is added.
    late_move_pruning_base: 4 in 1..=1000, neutral 1000;
    /// Percentage of this number if the position does not improve.
    late_move_pruning_not_improving: 57 in 10..=100, neutral 100;
    /// Greatest depth, after the late move reduction, at which futility pruning (FP) applies.
    futility_max_depth: 7 in -1..=19, neutral -1;
    /// Futility margin at depth 0, in centipawns.
    futility_base: 51 in 0..=1000, neutral 1000;
    /// Futility margin for each ply of depth, in centipawns.
    futility_margin: 45 in 10..=1000, neutral 1000;

    /// Weight of a quiet move's history in the depth that decides its pruning, in 1024ths of a ply
    /// for each 256 of history.
    pruning_history_weight: 8 in 0..=100, neutral 0;
    /// Greatest depth, after the late move reduction, at which history pruning applies.
    history_pruning_max_depth: 3 in -1..=19, neutral -1;
    /// A quiet move is left out if its history is below minus this number for each ply of depth.
    history_pruning_margin: 7192 in 100..=30000, neutral 30000;

    /// Permitted loss of a capture in exchanges for each ply of depth, in centipawns.
    exchange_pruning_capture_margin: 131 in 10..=32000, neutral 32000;
    /// Permitted loss of a quiet move in exchanges for each squared ply of depth, in centipawns.
    exchange_pruning_quiet_margin: 30 in 5..=32000, neutral 32000;
    /// Greatest depth for pruning by static exchange evaluation (SEE).
    exchange_pruning_max_depth: 8 in 0..=20, neutral 0;

    /// Least depth for late move reductions (LMR). At depth 2, only an extended move can lose a
    /// ply; other moves can only gain one.
    late_move_reduction_min_depth: 2 in 2..=255, neutral 255;
    /// Constant part of the late move reduction, in 1024ths of a ply.
    late_move_reduction_base: 965 in 0..=2048, neutral 0;
    /// Logarithmic part of the late move reduction, in 1024ths of a ply.
    late_move_reduction_scale: 287 in 0..=1000, neutral 0;
    /// Added to the reduction at a cut-node, in 1024ths of a ply.
    late_move_reduction_cut_node: 1562 in 0..=3072, neutral 0;
    /// Added too at a cut-node if the table has no move, in 1024ths of a ply.
    late_move_reduction_no_tt_move: 1031 in 0..=3072, neutral 0;
    /// Subtracted from the reduction at a node with an open window, in 1024ths of a ply.
    late_move_reduction_pv: 686 in 0..=3072, neutral 0;
    /// Subtracted from the reduction at a node that is or once was on a principal variation
    /// (tt_pv), in 1024ths of a ply.
    late_move_reduction_tt_pv: 491 in 0..=3072, neutral 0;
    /// Subtracted too at such a node if the table's score is above alpha, in 1024ths of a ply.
    late_move_reduction_tt_pv_score: 580 in 0..=3072, neutral 0;
    /// Subtracted too at such a node if the table's entry is at least as deep, in 1024ths of a ply.
    late_move_reduction_tt_pv_depth: 536 in 0..=3072, neutral 0;
    /// Added to the reduction if the table's entry predicts a fail low, in 1024ths of a ply.
    late_move_reduction_tt_fail_low: 812 in 0..=3072, neutral 0;
    /// Added to the reduction if replies to earlier moves often failed high, in 1024ths of a ply.
    late_move_reduction_cutoffs: 960 in 0..=3072, neutral 0;
    /// Number of cut-offs of replies above which they count as frequent.
    late_move_reduction_cutoff_count: 2 in 0..=20, neutral 20;
    /// Added to the reduction for each centipawn that the evaluation is below alpha, and subtracted
    /// for each above, in 1024ths of a ply.
    late_move_reduction_evaluation: 8 in 0..=40, neutral 0;
    /// Greatest amount added or subtracted by this, in 1024ths of a ply.
    late_move_reduction_evaluation_max: 760 in 0..=3072, neutral 0;
    /// Subtracted from the reduction for each centipawn of correction of the evaluation, in 1024ths
    /// of a ply.
    late_move_reduction_correction: 17 in 0..=100, neutral 0;
    /// Added to the reduction if the position does not improve, in 1024ths of a ply.
    late_move_reduction_not_improving: 632 in 0..=3072, neutral 0;
    /// Added to the reduction if the opponent's last move made their evaluation fall, in 1024ths of
    /// a ply.
    late_move_reduction_opponent_worsening: 300 in 0..=3072, neutral 0;
    /// Added to the reduction if the table's move is a capture or promotion, in 1024ths of a ply.
    late_move_reduction_tt_tactical: 500 in 0..=3072, neutral 0;
    /// Subtracted from the reduction of a move that gives check, in 1024ths of a ply.
    late_move_reduction_check: 1042 in 0..=3072, neutral 0;
    /// Subtracted from the reduction of refutations, that is, killers and the counter-move, in
    /// 1024ths of a ply.
    late_move_reduction_refutation: 1009 in 0..=3072, neutral 0;
    /// Subtracted from the reduction of captures and promotions that are not bad captures, in
    /// 1024ths of a ply.
    late_move_reduction_tactical: 1210 in 0..=3072, neutral 0;
    /// Capture history worth one ply of reduction.
    late_move_reduction_capture_history: 7181 in 1000..=1000000, neutral 1000000;
    /// History worth one ply of reduction.
    late_move_reduction_history: 12900 in 1000..=1000000, neutral 1000000;
    /// Greatest extension in plies of a move with a negative reduction.
    late_move_extension_max: 1 in 0..=2, neutral 0;
    /// Margin over the best score, in centipawns plus the depth in plies. If the reduced search
    /// exceeds it, the next search is a ply deeper.
    late_move_deeper_margin: 16 in 0..=1000, neutral 1000;
    /// Margin over the best score, in centipawns. If the reduced search stays below it, the next
    /// search is a ply shallower.
    late_move_shallower_margin: 4 in 0..=100, neutral 0;

    /// Least depth for singular extensions and multi-cut.
    singular_min_depth: 5 in 4..=255, neutral 255;
    /// Margin below the table's score for each ply of depth, in 16ths of a centipawn.
    singular_margin: 17 in 4..=200, neutral 200;
    /// Distance of the other moves below the singular margin for a double extension, in centipawns.
    singular_double_margin: 14 in 0..=32000, neutral 32000;
    /// The same distance for a triple extension of a quiet move, in centipawns.
    singular_triple_margin: 68 in 0..=32000, neutral 32000;
    /// Greatest number of double and triple extensions on one path.
    singular_double_max: 8 in 0..=100, neutral 0;
    /// Depth of the search of the other moves, in percent of the depth left. It is at least one ply
    /// at every depth, and the neutral value is the cheapest search.
    singular_search_share: 41 in 34..=90, neutral 34;
    /// Number of plies by which the table's entry may be shallower than the node.
    singular_tt_depth_shortfall: 2 in 0..=8, neutral 0;
    /// Least depth for check extensions.
    check_extension_min_depth: 1 in 1..=255, neutral 255;
    /// Distance from the root up to which moves are extended, in percent of the iteration's depth.
    extension_ply_limit: 200 in 0..=400, neutral 0;

    /// Killer moves kept for each ply.
    killers: 2 in 0..=2, neutral 0;
    /// Counter-moves used: 1, or 0 for none.
    counter_moves: 1 in 0..=1, neutral 0;

    /// History bonus for each ply of depth.
    history_bonus: 220 in 0..=1000, neutral 0;
    /// Subtracted from the history bonus at any depth.
    history_bonus_offset: 36 in 0..=1000, neutral 0;
    /// Greatest history bonus.
    history_bonus_max: 1742 in 0..=8000, neutral 0;
    /// History malus for each ply of depth.
    history_malus: 263 in 0..=1000, neutral 0;
    /// Subtracted from the history malus at any depth.
    history_malus_offset: 46 in 0..=1000, neutral 0;
    /// Greatest history malus.
    history_malus_max: 1290 in 0..=8000, neutral 0;
    /// Subtracted from the malus of quiet moves for each of them that was searched.
    history_malus_by_count: 34 in 0..=200, neutral 0;
    /// Malus for each ply of depth in continuation histories, for a quiet move that was the first
    /// of its node and led to a node that failed high.
    first_move_malus: 94 in 0..=400, neutral 0;
    /// Greatest such malus.
    first_move_malus_max: 900 in 0..=8000, neutral 0;
    /// History bonus of the quiet move that led to a node that failed low, in percent.
    fail_low_bonus: 74 in 0..=400, neutral 0;
    /// Distance of the score below the static evaluation that doubles this bonus, in centipawns.
    fail_low_margin: 19 in 0..=1000, neutral 1000;
    /// Bonus in continuation histories of a quiet move whose search at full depth confirmed the
    /// reduced search, in percent of the history bonus. It is a malus if the search did not confirm
    /// it.
    re_search_bonus: 64 in 0..=400, neutral 0;
    /// Weight of pawn history in ordering, in percent.
    pawn_history_weight: 67 in 0..=400, neutral 0;
    /// Separates quiet history by the opponent's attacks: 1, or 0 for one history.
    threat_history: 1 in 0..=1, neutral 0;
    /// Change of a quiet move's history for each centipawn by which it changed the evaluation.
    evaluation_hint_weight: 6 in 0..=50, neutral 0;
    /// Greatest amount that a fall of the evaluation subtracts from a move's history.
    evaluation_hint_fall_max: 230 in 0..=2000, neutral 0;
    /// Greatest amount that a rise of the evaluation adds to a move's history.
    evaluation_hint_rise_max: 470 in 0..=2000, neutral 0;
    /// Weight of continuation history after the last move in ordering, in percent.
    continuation_one_weight: 112 in 0..=400, neutral 0;
    /// The same after the move two plies ago.
    continuation_two_weight: 107 in 0..=400, neutral 0;
    /// The same after the move four plies ago.
    continuation_four_weight: 67 in 0..=400, neutral 0;
    /// The same after the move six plies ago.
    continuation_six_weight: 107 in 0..=400, neutral 0;
    /// Weight of a capture's history in ordering: 256ths of a centipawn of gain for each unit of
    /// history.
    capture_history_weight: 11 in 0..=100, neutral 0;
    /// Permitted loss of a good capture in exchanges for each 1,024 of its history, in centipawns.
    /// A capture with a history below zero must win as much.
    good_capture_history: 8 in 0..=100, neutral 0;

    /// Added to the history of quiet moves that give check, for ordering.
    check_bonus: 11182 in 0..=32000, neutral 0;
    /// Added to the history of moves of a knight or bishop that a pawn attacks, for ordering.
    minor_escape_bonus: 7200 in 0..=32000, neutral 0;
    /// Added to the history of moves of a rook or queen that a lesser piece attacks, for ordering.
    major_escape_bonus: 14900 in 0..=32000, neutral 0;
    /// Subtracted from the history of moves to a square that a lesser piece attacks, for ordering.
    lesser_threat_malus: 8100 in 0..=32000, neutral 0;
    /// Permitted loss of a check with this bonus in exchanges, in centipawns.
    check_risk: 70 in 0..=1000, neutral 0;

    /// Weight of the sum of the correction histories on the static evaluation, in percent.
    correction_weight: 33 in 0..=200, neutral 0;
    /// Share of an error that each correction history learns for each ply of depth, in 4096ths.
    correction_rate: 130 in 0..=1024, neutral 0;
    /// Greatest share of an error learned at once, in 4096ths.
    correction_rate_max: 1024 in 0..=4096, neutral 0;
    /// Greatest entry of a correction history, and greatest error learned at once, in centipawns.
    correction_limit: 91 in 1..=127, neutral 1;

    /// Reduction of the evaluation at a full fifty-move count, in percent.
    fifty_move_fade: 49 in 0..=100, neutral 0;

    /// Moves a score above beta towards beta, the more the shallower the search: 1, or 0 for off.
    fail_high_damping: 1 in 0..=1, neutral 0;
    /// Weight of the evaluation against beta in the score of a side that stands pat above beta, in
    /// percent. The neutral value returns the evaluation.
    stand_pat_trust: 72 in 0..=100, neutral 100;
    /// Margin of delta pruning over the gain of a capture in exchanges, in centipawns.
    delta_pruning_margin: 147 in 0..=32000, neutral 32000;

    /// Plies of depth that a table entry loses, in the choice of the entry to replace, for each
    /// search begun since it was written.
    table_age_penalty: 4 in 0..=64, neutral 0;
    /// Plies by which an old table entry must be deeper than a new one of the same position to
    /// stay. The neutral value always takes the new entry.
    table_much_deeper: 4 in 0..=255, neutral 255;

    /// Part of the time left, increments to come included, that the first move of a game may use,
    /// in thousandths, if the time has to last for the whole game. The neutral value spends least.
    clock_part_first: 14 in 5..=100, neutral 5;
    /// Rise of that part in the course of a game, in thousandths.
    clock_part_rise: 34 in 0..=100, neutral 0;
    /// Number of moves after which nearly two thirds of the rise are reached.
    clock_rise_moves: 20 in 1..=200, neutral 200;
    /// Number of increments to come that count as time left.
    clock_increments_ahead: 27 in 0..=100, neutral 0;
    /// Greatest part of the time left that a move may use, in percent. Part of the increment is
    /// added.
    clock_part_max: 16 in 1..=100, neutral 100;
    /// Upper limit of the number of moves to the next time control. The neutral value uses the
    /// number given.
    clock_moves_to_go_max: 50 in 1..=1000, neutral 1000;
    /// Part of the increment that a move may use, in percent.
    clock_increment_share: 85 in 0..=100, neutral 0;
    /// Hard limit of time, in percent of a move's share. The neutral value is the share.
    clock_hard_share: 450 in 100..=1000, neutral 100;
    /// Greatest hard limit, in percent of the usable time.
    clock_hard_part: 60 in 10..=100, neutral 100;
    /// Time on the clock that no move uses, in milliseconds, since answers come late on a busy
    /// machine.
    clock_reserve: 75 in 0..=1000, neutral 0;
    /// Greatest part of the time left that is kept in reserve, in percent.
    clock_reserve_part: 75 in 0..=95, neutral 0;
    /// Factor on the soft limit after the best move has just changed, in percent.
    clock_stability_base: 135 in 100..=300, neutral 100;
    /// Subtracted from the factor for each iteration that kept the best move, in percent.
    clock_stability_step: 8 in 0..=50, neutral 0;
    /// Least factor for a stable best move, in percent.
    clock_stability_min: 63 in 10..=100, neutral 100;
    /// Number of iterations over which the fall of the score is measured.
    clock_trend_iterations: 3 in 0..=20, neutral 0;
    /// Fall of the score that doubles the soft limit, in centipawns.
    clock_trend_fall: 120 in 10..=32000, neutral 32000;
    /// Least factor for a rising score, in percent.
    clock_trend_min: 80 in 10..=100, neutral 100;
    /// Greatest factor for a falling score, in percent.
    clock_trend_max: 160 in 100..=400, neutral 100;
    /// Factor if the best move took no nodes, before it is clamped, in percent.
    clock_effort_base: 190 in 100..=300, neutral 100;
    /// Subtracted from the factor if the best move took all nodes, in percent.
    clock_effort_slope: 135 in 0..=300, neutral 0;
    /// Least factor for the best move's share of the nodes, in percent.
    clock_effort_min: 60 in 10..=100, neutral 100;
    /// Greatest factor for the best move's share of the nodes, in percent.
    clock_effort_max: 160 in 100..=400, neutral 100;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_and_neutral_values_are_within_their_ranges() {
        for parameter in all() {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.default), "{}", parameter.name);
            assert!(range.contains(&parameter.neutral), "{}", parameter.name);
        }
    }
}
