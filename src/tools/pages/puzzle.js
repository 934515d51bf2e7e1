import { rules, stepOf } from "./rules.js";
/** @import { Progress, Puzzle } from "../games/types.js" */
/** @import { Step } from "./types.js" */

// Puzzles: the task, the judgement of an answer, and the schedule of repetitions.

/** Days until a puzzle is due again, by the number of solutions in a row since a failure. */
export const PUZZLE_DAYS = [1, 3, 7, 14, 30, 60];
/** A day in milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;

/**
 * Returns the progress after an answer: a solution gets the next interval, a failure the first one.
 * @param {Progress | undefined} before
 * @param {boolean} isSolved
 * @param {number} now Time in milliseconds.
 * @param {number} [first] Index of the interval of a puzzle that is solved at the first try.
 * @returns {Progress}
 */
export function nextProgress(before, isSolved, now, first = 0) {
  const solved = !isSolved ? 0 : before ? Math.min(before.solved + 1, PUZZLE_DAYS.length - 1) : first;
  return { solved, due: now + PUZZLE_DAYS[solved] * DAY, failed: !isSolved || Boolean(before?.failed) };
}

/** Returns true if a puzzle is due. A new one is. @param {Progress | undefined} progress @param {number} now */
export const isPuzzleDue = (progress, now) => !progress || progress.due <= now;

/** Removes repeated puzzles, which occur if a player repeats an opening. @param {Puzzle[]} all */
export const distinctPuzzles = (all) => [...new Map(all.toReversed().map((puzzle) => [puzzle.id, puzzle])).values()].toReversed();

/** Returns the task in words. @param {Puzzle} puzzle */
export const puzzleTask = ({ by_black: isBlack, mate, played }) =>
  (isBlack ? "Black" : "White") + " to move: " + (mate ? "mate in " + mate + ", instead of " : "find a better move than ") + played;

/** Returns the names of the moves that solve a puzzle. @param {Puzzle} puzzle */
export const goodMoves = ({ moves }) => moves.filter(({ good }) => good).map(({ san }) => san);

/** Returns the solution in words. @param {Puzzle} puzzle */
export function puzzleSolution(puzzle) {
  const good = goodMoves(puzzle);
  return good.join(" or ") + (good.length === 1 ? " was the move." : " were good enough.");
}

/** Returns the steps of the best line. @param {Puzzle} puzzle */
export function puzzleSteps({ fen, line }) {
  let position = rules.read(fen);
  /** @type {Step[]} */
  const steps = [];
  for (const san of line) {
    const move = rules.moves(position).find((move) => rules.san(position, move) === san);
    if (!move) break;
    steps.push(stepOf(position, move, steps.length === 0));
    position = rules.play(position, move);
  }
  return steps;
}

/** Judges an answer. @param {Puzzle} puzzle @param {string} san */
export function judgePuzzle(puzzle, san) {
  const known = puzzle.moves.find((move) => move.san === san);
  if (known?.good) {
    const [best] = puzzle.moves;
    const rank = known === best ? "the best move" : known.loss > 0 ? "good enough, " + best.san + " is best" : "as good as " + best.san;
    return { isGood: true, text: san + ": " + rank + " (" + known.score + ")." };
  }
  const cost = puzzle.loss > 0 ? ", −" + puzzle.loss + " %" : "";
  const fault = puzzle.played.endsWith(" " + san) ? "was played in the game" + cost
    : puzzle.mate ? "does not mate in time" : known ? "loses " + known.loss + " % of a point" : "is not among the best moves";
  return { isGood: false, text: san + " " + fault + "." };
}
