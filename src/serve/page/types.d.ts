// The views that the server sends, and the parts of the page.

import type { Puzzle } from "../../tools/games/types.js";
import type { Mark, Marks, Move, Position, ReviewedGame, View } from "../../tools/pages/types.js";

export interface Opening { eco: string; name: string }

/** A played move and the board after it. */
export interface Ply {
  /** Move number with dots: "12." or "12...". */
  number: string;
  san: string;
  uci: string;
  fen: string;
  squares: string[];
  opening?: Opening;
}

export interface Ending { reason: string; text: string; result: string }

/** `number` is that of a start position of Chess960. */
export interface Start { fen: string; board: string; chess960: boolean; number?: number | null }

/** A game in the form that the browser stores. Times are in milliseconds; `initial` is null if it is not known. */
export interface KeptGame {
  fen: string;
  moves: string[];
  ending: string | null;
  white: boolean;
  elo: number | null;
  /** In PGN notation. */
  date: string;
  clock?: { initial: number | null, increment: number } | null;
}

/** An entry of the browser's storage: the game, and the time of its last change in milliseconds. */
export interface SavedGame { id: string; kept: KeptGame; time: number }

export interface GameView {
  start: Start;
  plies: Ply[];
  position: { fen: string; turn: string };
  /** "white" or "black". */
  person: "white" | "black";
  names: string[];
  elo: number | null;
  clock: { white: number; black: number; running: string | null } | null;
  thinking: boolean;
  waiting: boolean;
  hint: { san: string; squares: string[] } | null;
  notice: string | null;
  ending: Ending | null;
  kept: KeptGame;
}

/** A stored game as an entry of the list, or the reason why it cannot be read. */
export interface SavedView {
  error?: string;
  date: string;
  names: string[];
  person: "white" | "black";
  elo: number | null;
  ending: Ending | null;
  opening: Opening | null;
  chess960: boolean;
  moves: number;
  fen: string;
  squares: string[] | null;
}

/** A request for a new game, without its date. */
export interface NewGame {
  side: string;
  elo: number | null;
  clock: { minutes: number; increment: number } | null;
  start: string | { chess960: number | null } | { fen: string };
}

/** Annotations of a move. `unplayable` has the PGN text of lines that cannot be played. */
export interface Annotations { comment: string; glyphs: number[]; unplayable: string[] }

/** A node of the study: the board after its move. The first child continues the main line. */
export interface StudyNode extends Ply {
  parent: StudyNode | null;
  children: StudyNode[];
  annotations: Annotations;
  /** The server knows the position. */
  position?: { fen: string };
  ending?: { text: string } | null;
  /** Index among the nodes that are sent to the server. */
  index?: number;
}

/** A game that the server has read from a PGN. */
export interface ReadGame {
  /** Titles of all games in the PGN, and the index of this one. */
  titles: string[];
  game: number;
  tags: [string, string][];
  result: string;
  start: Start;
  /** Annotations before the first move. */
  annotations: Annotations;
  /** The moves, each with the index of the one before it. */
  nodes: (Ply & { parent: number | null, annotations: Annotations })[];
}

export interface AnalysisLine {
  score: string;
  /** White's wins, draws and Black's wins in permille. */
  wdl: number[];
  depth: number;
  seldepth: number;
  moves: { number: string; san: string; uci: string; squares: string[] }[];
}

export interface AnalysisView {
  activity: string;
  fen: string | null;
  lines: AnalysisLine[];
  nodes: number;
  nodes_per_second: number;
  tablebase_hits: number;
  hashfull: number;
  tablebase_error: string | null;
}

/** The analysed game. */
export interface Study {
  root: StudyNode;
  node: StudyNode;
  tags: [string, string][];
  result: string;
  chess960: boolean;
  /** The file that the game comes from, if it has several. */
  file: StudyFile | null;
  /** The engine analyses. */
  running: boolean;
  view: AnalysisView | null;
}

/** A game in the form of requests, and the place in it. */
export interface GameState { tree: object; place: string[] }

/** A file with several games. It is never changed, only replaced. */
export interface StudyFile {
  text: string;
  titles: string[];
  /** Index of the game that is shown. */
  number: number;
  /** Games that were shown before, by their indices. */
  states: Record<number, GameState>;
}

/** The game that is shown, and its file. */
export interface StudyState extends GameState { file: StudyFile | null }

export interface SuiteRow { name: string; fen: string; wanted: string; played: string | null; solved: boolean | null; found_ms: number | null }

export interface Work {
  kind: string | null;
  /** "none", "waiting", "running", "done", "stopped" or "failed". */
  stage: string;
  done: number;
  total: number;
  /** Faults with better moves that were searched for, and all of them. */
  puzzles: number[];
  /** Number of games in the PGN of a review, and the index of the reviewed one. */
  games: number;
  game: number;
  error: string | null;
  rows_from: number;
  rows: SuiteRow[];
}

export interface ReviewView {
  names: string[];
  position: { fen: string; chess960: boolean; moves: string[] };
  game: { title: string; occasion: string; text: string; overview: string; data: ReviewedGame };
  puzzles: Puzzle[];
}

/** The engine's judgement of an answer. */
export interface Judgement {
  san: string;
  score: string;
  best: boolean;
  fault: string | null;
  missed: string | null;
  reason: string | null;
  loss: number;
  line: string;
}

export interface ClockFace { text: string; isRunning?: boolean; isLow?: boolean }

/** A view of the page with a panel. Lists for two players begin with White. */
export interface Tab {
  draw(): void;
  /** Steps through the moves. */
  step?(by: number): void;
  /** Goes to the start or the end. */
  end?(last: boolean): void;
  /** Makes a move on the board. Resolves to false if it is refused. */
  move?(san: string, move?: Move, position?: Position): Promise<boolean>;
  /** Opens a dropped file. */
  file?(text: string, name: string): void;
  /** Part of the address that follows the name of the tab. */
  place?(): string | number;
  /** Shows such a place. */
  open?(place: string): unknown;
  /** Actions by the names of keys: "n", "Ctrl+z". */
  keys?: Record<string, () => void>;
  /** Called when another tab is shown. */
  leave?(): void;
  names?(): string[] | undefined;
  /** Position from which captured pieces are counted. */
  start?(): string | undefined;
  clocks?(): ClockFace[] | undefined;
  /** The tab that is marked while this panel is shown. */
  parent?(): string;
  /** Orientation of its board, once it is known. */
  flipped?: boolean;
}

/** The board of the page. */
export interface Squares {
  /** Orientation of the current tab. */
  flipped: boolean;
  board: { show(view: View): void; restore(): void; decide(moves: Move[]): void; readonly view: View };
  /**
   * Called with each move in short algebraic notation and, if it is legal, the move and the position of the rules.
   * Resolves to false if the move is refused.
   */
  onMove(san: string, move?: Move, position?: Position): Promise<boolean>;
  /** Called with the arrows and circles of the user after a change. */
  onMark(marks: Marks): void;
}

/** A source of events: an `EventSource`, or the worker that shares one. */
export interface Events {
  readonly readyState: number;
  addEventListener(name: string, listener: (event: { data: string }) => void): void;
  close(): void;
}

export type { Mark, Marks, Move, Position, View };

/** A panel that follows the board. */
export interface FollowingPanel<T> {
  status: HTMLElement;
  content: HTMLElement;
  /** Status until the first view is there. */
  waiting: string;
  /** Begins the text of an error. */
  failure: string;
  /** Identifies the state that is wanted; null hides the panel. */
  key(): string | null;
  load(): Promise<T>;
  /** Shows a view and returns the status. */
  show(view: T): string;
}

/** A place in the page with an opening explorer. */
export interface ExplorerPlace {
  /** The position that is shown; null if there is none. */
  position(): { fen: string; chess960: boolean; moves: string[] } | null;
  play(san: string): unknown;
}

export interface ExplorerMove {
  san: string;
  uci: string;
  squares: string[];
  opening: Opening | null;
  /** Number of named openings that begin with the move. */
  lines: number;
  /** Share of the book's moves in percent. */
  share: number | null;
  /** Number of the player's games with the move, their score in percent, and the last of them. */
  games: number;
  score: number | null;
  last: { id: string; date: string } | null;
}

/** `book_error` says why the opening book cannot be read. */
export interface ExplorerView { games: number; has_book: boolean; book_error: string | null; moves: ExplorerMove[] }

/** A node of the tree that the panel "Look inside" shows. */
export interface InsideNode {
  san: string;
  uci: string;
  value: string | null;
  null_window: boolean;
  searches: number;
  /** Number of leaves that were evaluated. */
  evaluated: number;
  /** Numbers of moves that were cut off and of positions that are folded. */
  cut: number;
  folded: number;
  principal: boolean;
  children: InsideNode[];
}

export interface InsideView { summary: string; depth: number; root: InsideNode }
