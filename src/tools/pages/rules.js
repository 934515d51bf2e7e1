import { readPlacement, squareName, squareNumber } from "./placement.js";
/** @import { Move, Position, Step } from "./types.js" */

/**
 * The rules of chess, for pages on which moves can be tried. `rules.read(fen)` returns a position,
 * `rules.moves(position)` its legal moves, `rules.play(position, move)` the position after a move,
 * `rules.san(position, move)` the name of a move, and `rules.fen(position)` the FEN. Chess960 is supported.
 */
export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const KNIGHT = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const STRAIGHT = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
/** @type {Record<string, number[][]>} */
const STEPS = { n: KNIGHT, b: DIAGONAL, r: STRAIGHT, q: [...STRAIGHT, ...DIAGONAL], k: [...STRAIGHT, ...DIAGONAL] };
/** @param {string} piece */
const isWhite = (piece) => piece !== "" && piece === piece.toUpperCase();
/** @param {string} turn */
const opponent = (turn) => turn === "w" ? "b" : "w";
/** @param {string} piece @param {string} turn */
const isOwn = (piece, turn) => piece !== "" && isWhite(piece) === (turn === "w");
/** @param {string[]} board @param {string} turn */
const kingOf = (board, turn) => board.indexOf(turn === "w" ? "K" : "k");

/** Returns the square at this distance in files and ranks, or undefined outside the board. @param {number} from @param {number[]} distance */
function neighbour(from, [files, ranks]) {
  const [file, rank] = [from % 8 + files, (from >> 3) + ranks];
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? undefined : file + 8 * rank;
}

/** Returns the squares that a piece of this kind attacks from a square. @param {string[]} board @param {number} from @param {string} kind */
function reach(board, from, kind) {
  /** @type {number[]} */
  const reached = [];
  for (const step of STEPS[kind]) {
    let to = neighbour(from, step);
    while (to !== undefined) {
      reached.push(to);
      if (board[to] !== "" || kind === "n" || kind === "k") break;
      to = neighbour(to, step);
    }
  }
  return reached;
}

/** Returns whether the side `by` attacks a square. @param {string[]} board @param {number} target @param {string} by */
function isAttacked(board, target, by) {
  const pieceOf = (/** @type {string} */ kind) => by === "w" ? kind.toUpperCase() : kind;
  const ahead = by === "w" ? -1 : 1;
  return [[-1, ahead], [1, ahead]].some((step) => board[neighbour(target, step) ?? -1] === pieceOf("p"))
    || Object.keys(STEPS).some((kind) => reach(board, target, kind).some((from) => board[from] === pieceOf(kind)));
}

/** Returns the squares of the rooks that may castle. @param {string[]} board @param {string} text */
function readCastling(board, text) {
  return [...text].flatMap((letter) => {
    if (letter === "-") return [];
    const turn = isWhite(letter) ? "w" : "b";
    const [rank, rook, wanted] = [turn === "w" ? 0 : 56, turn === "w" ? "R" : "r", letter.toLowerCase()];
    const rooks = [0, 1, 2, 3, 4, 5, 6, 7].map((file) => rank + file).filter((at) => board[at] === rook);
    if (wanted === "k") return rooks.filter((at) => at > kingOf(board, turn)).slice(-1);
    if (wanted === "q") return rooks.filter((at) => at < kingOf(board, turn)).slice(0, 1);
    return rooks.filter((at) => at % 8 === wanted.charCodeAt(0) - 97);
  });
}

/** @param {string} fen @returns {Position} */
function readFen(fen) {
  const [placement, turn = "w", castling = "-", enPassant = "-", half = "0", full = "1"] = fen.trim().split(/\s+/);
  const board = readPlacement(placement);
  const rooks = readCastling(board, castling);
  return { board, turn, rooks, enPassant: enPassant === "-" ? -1 : squareNumber(enPassant), half: Number(half), full: Number(full), byFile: /[a-h]/i.test(castling) };
}

/** @param {Position} position */
function castlingText({ board, rooks, byFile }) {
  const letter = (/** @type {string} */ turn) => (/** @type {number} */ at) => {
    const sign = byFile ? "abcdefgh"[at % 8] : at > kingOf(board, turn) ? "k" : "q";
    return turn === "w" ? sign.toUpperCase() : sign;
  };
  const own = (/** @type {boolean} */ white) => rooks.filter((at) => (at < 8) === white).sort((one, two) => two - one);
  return [...own(true).map(letter("w")), ...own(false).map(letter("b"))].join("") || "-";
}

/** @param {Position} position */
function writeFen(position) {
  const rows = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) =>
    position.board.slice(8 * rank, 8 * rank + 8).map((piece) => piece || "1").join("").replace(/1+/g, (gap) => String(gap.length)));
  const enPassant = position.enPassant < 0 ? "-" : squareName(position.enPassant);
  return [rows.join("/"), position.turn, castlingText(position), enPassant, position.half, position.full].join(" ");
}

/** @param {Position} position @param {number} from */
function pawnMoves({ board, turn, enPassant }, from) {
  const ahead = turn === "w" ? 1 : -1;
  /** @type {Move[]} */
  const moves = [];
  const add = (/** @type {number} */ to) => {
    if (to > 7 && to < 56) moves.push({ from, to });
    else moves.push(...["q", "r", "b", "n"].map((promotion) => ({ from, to, promotion })));
  };
  const one = neighbour(from, [0, ahead]);
  if (one !== undefined && board[one] === "") {
    add(one);
    const two = one + 8 * ahead;
    if ((from >> 3) === (turn === "w" ? 1 : 6) && board[two] === "") moves.push({ from, to: two });
  }
  for (const side of [-1, 1]) {
    const to = neighbour(from, [side, ahead]);
    if (to === undefined) continue;
    if (isOwn(board[to], opponent(turn))) add(to);
    else if (to === enPassant) moves.push({ from, to, taken: to - 8 * ahead });
  }
  return moves;
}

/** Returns castling moves. The paths of king and rook must be free, and the king's path not attacked. @param {Position} position @returns {Move[]} */
function castlings({ board, turn, rooks }) {
  const king = kingOf(board, turn);
  const rank = turn === "w" ? 0 : 56;
  return rooks.filter((rook) => (rook < 8) === (turn === "w")).flatMap((rook) => {
    const [to, rookTo] = rook > king ? [rank + 6, rank + 5] : [rank + 2, rank + 3];
    const all = [king, to, rook, rookTo];
    const way = [];
    for (let at = Math.min(...all); at <= Math.max(...all); at += 1) way.push(at);
    const between = (/** @type {number} */ at) => at >= Math.min(king, to) && at <= Math.max(king, to);
    const onWay = (/** @type {number} */ at) => between(at) || (at >= Math.min(rook, rookTo) && at <= Math.max(rook, rookTo));
    const isFree = way.every((at) => !onWay(at) || at === king || at === rook || board[at] === "");
    const isSafe = way.every((at) => !between(at) || !isAttacked(board, at, opponent(turn)));
    return isFree && isSafe ? [{ from: king, to, rook, rookTo }] : [];
  });
}

/** @param {Position} position */
function legalMoves(position) {
  const { board, turn } = position;
  /** @type {Move[]} */
  const found = [];
  board.forEach((piece, from) => {
    if (!isOwn(piece, turn)) return;
    const kind = piece.toLowerCase();
    if (kind === "p") found.push(...pawnMoves(position, from));
    else found.push(...reach(board, from, kind).filter((to) => !isOwn(board[to], turn)).map((to) => ({ from, to })));
  });
  if (kingOf(board, turn) >= 0) found.push(...castlings(position));
  return found.filter((move) => {
    const after = boardAfter(board, turn, move);
    return !isAttacked(after, kingOf(after, turn), opponent(turn));
  });
}

/** Returns the board after a move. @param {string[]} board @param {string} turn @param {Move} move */
function boardAfter(board, turn, { from, to, promotion, taken, rook, rookTo }) {
  const after = [...board];
  const piece = board[from];
  after[from] = "";
  if (taken !== undefined) after[taken] = "";
  if (rook !== undefined) after[rook] = "";
  after[to] = promotion ? (turn === "w" ? promotion.toUpperCase() : promotion) : piece;
  if (rookTo !== undefined) after[rookTo] = turn === "w" ? "R" : "r";
  return after;
}

/** @param {Position} position @param {Move} move @returns {Position} */
function afterMove(position, move) {
  const { board, turn, half, full, byFile } = position;
  const isPawn = board[move.from].toLowerCase() === "p";
  const isKing = board[move.from].toLowerCase() === "k";
  const isCapture = move.rook === undefined && board[move.to] !== "";
  const after = boardAfter(board, turn, move);
  const rooks = position.rooks.filter((rook) => rook !== move.from && rook !== move.to && !(isKing && (rook < 8) === (turn === "w")));
  const jumped = isPawn && Math.abs(move.to - move.from) === 16 ? (move.from + move.to) / 2 : -1;
  const next = { board: after, turn: opponent(turn), rooks, enPassant: jumped, half: isPawn || isCapture ? 0 : half + 1, full: full + (turn === "b" ? 1 : 0), byFile };
  // The en passant square is kept only if a legal capture exists.
  if (jumped >= 0 && !legalMoves(next).some((move) => move.taken !== undefined)) next.enPassant = -1;
  return next;
}

/**
 * Returns the squares that a piece may move to after any reply: those that it reaches on an empty board. Pawns
 * may also capture, and a king on its first rank may castle with its rooks.
 * @param {Position} position
 * @param {number} from
 */
function premoves({ board, rooks }, from) {
  const piece = board[from];
  const turn = isWhite(piece) ? "w" : "b";
  if (piece.toLowerCase() === "p") {
    const ahead = turn === "w" ? 1 : -1;
    const steps = [[-1, ahead], [0, ahead], [1, ahead], ...(from >> 3) === (turn === "w" ? 1 : 6) ? [[0, 2 * ahead]] : []];
    return steps.map((step) => neighbour(from, step)).filter((to) => to !== undefined);
  }
  const reached = reach(new Array(64).fill(""), from, piece.toLowerCase());
  if (piece.toLowerCase() !== "k") return reached;
  const own = rooks.filter((rook) => (rook < 8) === (turn === "w"));
  return [...reached, ...own.flatMap((rook) => [rook, (turn === "w" ? 0 : 56) + (rook > from ? 6 : 2)])];
}

/** @param {Position} position */
const isCheck = ({ board, turn }) => isAttacked(board, kingOf(board, turn), opponent(turn));

/** Returns the file, rank or square that distinguishes a move from those of equal pieces. @param {Position} position @param {Move} move @param {Move[]} all */
function origin(position, { from, to }, all) {
  const piece = position.board[from];
  const rivals = all.filter((move) => move.to === to && move.from !== from && move.rook === undefined && position.board[move.from] === piece);
  if (rivals.length === 0) return "";
  if (rivals.every((rival) => rival.from % 8 !== from % 8)) return squareName(from)[0];
  return rivals.every((rival) => rival.from >> 3 !== from >> 3) ? squareName(from)[1] : squareName(from);
}

/** @param {Position} position @param {Move} move */
function moveName(position, move) {
  const { board } = position;
  const kind = board[move.from].toUpperCase();
  const takes = move.taken !== undefined || (move.rook === undefined && board[move.to] !== "");
  let text = kind + (kind === "P" ? "" : origin(position, move, legalMoves(position))) + (takes ? "x" : "") + squareName(move.to);
  if (kind === "P") text = (takes ? squareName(move.from)[0] : "") + text.slice(1) + (move.promotion ? "=" + move.promotion.toUpperCase() : "");
  if (move.rook !== undefined) text = move.rook > move.from ? "O-O" : "O-O-O";
  const next = afterMove(position, move);
  if (!isCheck(next)) return text;
  return text + (legalMoves(next).length === 0 ? "#" : "+");
}

/** Returns the step of a line after a move; `isFirst` if it begins the line. @param {Position} before @param {Move} move @param {boolean} isFirst @returns {Step} */
export function stepOf(before, move, isFirst) {
  const number = before.turn === "w" ? before.full + "." : isFirst ? before.full + "..." : "";
  return [number, moveName(before, move), writeFen(afterMove(before, move)), [move.from, move.to].map(squareName)];
}

export const rules = {
  read: readFen, fen: writeFen, moves: legalMoves, play: afterMove, san: moveName, isCheck, kingOf, isOwn, premoves, name: squareName, square: squareNumber,
};
