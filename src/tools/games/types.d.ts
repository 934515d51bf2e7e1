// Data of the pages of games.

import type { View } from "../pages/types.js";

/** A game in the list. Lists for two players begin with White. */
export interface ListedGame {
  number: number;
  /** Address of its page. */
  page: string;
  players: string[];
  playerPages: (string | null)[];
  result: string;
  date: string;
  opening: string | null;
  accuracy: (number | null)[];
  worst: { ply: number; name: string; loss: number; fault: string; board: string; moved: string[]; by_black: boolean } | null;
  /** Where the game leaves the repertoire, if there is one. */
  repertoire?: { words: string; ply: number | null } | null;
}

/** A row of a table of players or of parts of the games. */
export interface Part {
  name: string;
  page?: string;
  games?: number;
  points?: number;
  moves: number;
  accuracy: number;
  /** Numbers of inaccuracies, mistakes and blunders. */
  faults: number[];
  missed: number[];
}

export interface Overview {
  games: ListedGame[];
  players?: Part[];
  tables?: { name: string; rows: Part[] }[];
  points?: number;
  finished: number;
  accuracy: number;
}

/** A column: head, function for the cells of a row, function for the sort value, number of cells. */
export type Column<Row> = [string, (row: Row) => HTMLElement[], (row: Row) => string | number, number?];

/** A fault or a missed chance of a player, as a puzzle. */
export interface Puzzle {
  id: string;
  player: string;
  fen: string;
  moved: string[] | null;
  /** Name of the move in the game. */
  played: string;
  squares: string[];
  fault: string;
  loss: number;
  by_black: boolean;
  /** The mate must come in this number of moves. */
  mate?: number | null;
  /** The best move comes first. */
  moves: { san: string; loss: number; good: boolean; score: string }[];
  line: string[];
  game: string;
  address: string;
}

/** The progress of a puzzle: the number of solutions in a row, and the time in milliseconds when it is due. */
export interface Progress { solved: number; due: number; failed: boolean }

/** Where puzzles come from and where their results go. */
export interface PuzzleSource {
  all(): Puzzle[];
  /** The stored progress by puzzle. */
  progress(): Record<string, Progress | undefined>;
  /** Stores the result of the first answer. */
  keep(puzzle: Puzzle, isSolved: boolean): void;
  /** Called when a puzzle is asked, before it is drawn. */
  begin(puzzle: Puzzle | undefined): void;
  show(view: View): void;
  /** Text if there are no puzzles at all. */
  none: string;
  /** Returns more about the player's results. */
  note?(): string;
}
