// Types of the scripts of all pages. Squares are numbers, a1 is 0, b1 is 1 and h8 is 63, or names.

/** A position of the rules. */
export interface Position {
  /** For each square the letter of its piece in a FEN, or "". */
  board: string[];
  /** "w" or "b". */
  turn: string;
  /** Squares of the rooks that may castle. */
  rooks: number[];
  /** -1 if there is none. */
  enPassant: number;
  half: number;
  full: number;
  /** Castling rights are written with files, as in Chess960. */
  byFile?: boolean;
}

/** A move. `taken` is the square of a pawn taken en passant. */
export interface Move { from: number; to: number; promotion?: string; taken?: number; rook?: number; rookTo?: number }

/** Two squares and a class, or a square and a class. */
export type Mark = string[];

/** The user's marks on a board. */
export interface Marks { arrows: Mark[]; circles: Mark[] }

/** A position to draw. */
export interface Picture {
  /** A FEN or its first field. */
  placement: string;
  /** Squares of the last move. */
  moved?: string[];
  arrows?: Mark[];
  circles?: Mark[];
  /** Black is at the bottom. */
  flipped?: boolean;
}

/** A position on which pieces can be moved. */
export interface View {
  fen: string;
  /** The sides that may be moved: "w", "b", "wb" or "". Both if it is missing. */
  movable?: string;
  /** The side that may choose a move before its turn. */
  premovable?: string;
  moved?: string[];
  arrows?: Mark[];
  circles?: Mark[];
  flipped?: boolean;
  /** Pieces may be moved anywhere and, with `to` null, off the board. */
  onFreeMove?: (squares: { from: number; to: number | null }) => void;
  /** Handles a tap on a square instead of the selection. */
  onPress?: (square: number) => void;
  /** Marks of the user that belong to the position. Other marks are removed by a left click and by a new position. */
  marks?: Marks;
}

/** A movable board. */
export interface Board {
  show(next: View): void;
  restore(): void;
  decide(moves: Move[]): void;
  readonly view: View;
}

/** A press of the pointer: a mark that is drawn, or a piece that may be dragged. */
export interface Drag {
  square: number;
  isMark?: boolean;
  wasChosen?: boolean;
  isOwn?: boolean;
  x?: number;
  y?: number;
  /** The dragged piece, and a faded copy of it on its square. */
  piece?: SVGElement;
  origin?: SVGElement;
}

/** Comment and marks of a step of a line. */
export interface Remarks { comment?: string; score?: string; arrows?: Mark[]; circles?: Mark[] }

/** A step of a line: number (may be empty), move, FEN after it, its squares, and remarks. */
export type Step = [number: string, san: string, fen: string, squares: string[], remarks?: Remarks];

/** A line that was searched. */
export interface SearchedLine { line: Step[]; score: string; chance: number }

/** A position of an analysed game. */
export interface ReviewedPosition extends SearchedLine {
  fen: string;
  depth: number;
  others?: SearchedLine[];
  /** Name of the move to the position. The start has none, and nothing else about a move. */
  name?: string;
  moved?: string[];
  best?: boolean;
  /** Lost expectation in percent of a point. */
  loss?: number;
  fault?: string;
  missed?: string;
  missedWin?: boolean;
  onlyMove?: boolean;
  /** The move belongs to a named opening. */
  book?: boolean;
  verdict?: string;
  repertoire?: string;
  remarks?: Remarks;
  clock?: string;
  trouble?: boolean;
  /** Time used for the move. */
  spent?: string;
  /** Evaluation of the engine that made the move. */
  engine?: { score: string; depth: number | null; seconds: number | null };
}

/** A variation of the file: the ply at which it leaves the game, and the variation and step from which it leaves. */
export interface FileVariation { at: number; parent: [number, number] | null; steps: Step[] }

/** An analysed game. */
export interface ReviewedGame { positions: ReviewedPosition[]; variations: FileVariation[] }

/** A position as the viewer shows it. */
export interface Shown {
  fen: string;
  moved: string[];
  /** Name of the last move. */
  name: string;
  arrows: Mark[];
  circles?: Mark[];
  /** White's winning chance, 0 to 1. */
  chance?: number;
  ply: number;
  /** The position is one of the game, not of a line. */
  isGame: boolean;
  isFirst: boolean;
  isLast: boolean;
  /** A fault follows. */
  hasFault: boolean;
  /** Of White and of Black. */
  clocks: { text: string; trouble: boolean }[];
}

/** Judgement of a move: `isGood` tells if it solves an exercise, and `text` says more. */
export interface Verdict { isGood: boolean; text: string }

/** A place in a line that is shown instead of the game. */
export interface LinePlace {
  /** "b12" is the best line of position 12, "b12/1" the second best, "v3" variation 3 of the file, "own" the user's moves. */
  key: string;
  /** -1 is the position before a solution. */
  index: number;
  isSolution?: boolean;
}
