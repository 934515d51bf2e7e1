import { readPlacement } from "./placement.js";

/**
 * The rules of chess, for pages on which moves can be tried. `rules.read(fen)` returns a position,
 * `rules.moves(position)` its legal moves, `rules.play(position, move)` the position after a move,
 * `rules.san(position, move)` the name of a move, and `rules.fen(position)` the FEN. Chess960 is supported.
 *
 * Squares are numbers, a1 is 0, b1 is 1 and h8 is 63; pieces are the letters of a FEN.
 */
const KNIGHT = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const STRAIGHT = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const STEPS = { n: KNIGHT, b: DIAGONAL, r: STRAIGHT, q: [...STRAIGHT, ...DIAGONAL], k: [...STRAIGHT, ...DIAGONAL] };
const name = (square) => "abcdefgh"[square % 8] + (1 + (square >> 3));
const square = (text) => text.charCodeAt(0) - 97 + 8 * (Number(text[1]) - 1);
const isWhite = (piece) => piece !== "" && piece === piece.toUpperCase();
const other = (turn) => turn === "w" ? "b" : "w";
const isOwn = (piece, turn) => piece !== "" && isWhite(piece) === (turn === "w");
const kingOf = (board, turn) => board.indexOf(turn === "w" ? "K" : "k");

/** Returns the square at this distance in files and ranks, or undefined outside the board. */
function neighbour(from, [files, ranks]) {
  const [file, rank] = [from % 8 + files, (from >> 3) + ranks];
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? undefined : file + 8 * rank;
}

/** Returns the squares that a piece of this kind attacks from a square. */
function reach(board, from, kind) {
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

/** Returns whether the side `by` attacks a square. */
function isAttacked(board, target, by) {
  const pieceOf = (kind) => by === "w" ? kind.toUpperCase() : kind;
  const ahead = by === "w" ? -1 : 1;
  return [[-1, ahead], [1, ahead]].some((step) => board[neighbour(target, step)] === pieceOf("p"))
    || Object.keys(STEPS).some((kind) => reach(board, target, kind).some((from) => board[from] === pieceOf(kind)));
}

/** Returns the squares of the rooks that may castle. */
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

function read(fen) {
  const [placement, turn = "w", castling = "-", enPassant = "-", half = "0", full = "1"] = fen.trim().split(/\s+/);
  const board = readPlacement(placement);
  const rooks = readCastling(board, castling);
  return { board, turn, rooks, enPassant: enPassant === "-" ? -1 : square(enPassant), half: Number(half), full: Number(full), byFile: /[a-h]/i.test(castling) };
}

function castlingText({ board, rooks, byFile }) {
  const letter = (turn) => (at) => {
    const sign = byFile ? "abcdefgh"[at % 8] : at > kingOf(board, turn) ? "k" : "q";
    return turn === "w" ? sign.toUpperCase() : sign;
  };
  const own = (white) => rooks.filter((at) => (at < 8) === white).sort((one, two) => two - one);
  return [...own(true).map(letter("w")), ...own(false).map(letter("b"))].join("") || "-";
}

function fen(position) {
  const rows = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) =>
    position.board.slice(8 * rank, 8 * rank + 8).map((piece) => piece || "1").join("").replace(/1+/g, (gap) => gap.length));
  const enPassant = position.enPassant < 0 ? "-" : name(position.enPassant);
  return [rows.join("/"), position.turn, castlingText(position), enPassant, position.half, position.full].join(" ");
}

function pawnMoves({ board, turn, enPassant }, from) {
  const ahead = turn === "w" ? 1 : -1;
  const moves = [];
  const add = (to) => {
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
    if (isOwn(board[to], other(turn))) add(to);
    else if (to === enPassant) moves.push({ from, to, taken: to - 8 * ahead });
  }
  return moves;
}

/** Returns castling moves. The paths of king and rook must be free, and the king's path not attacked. */
function castlings({ board, turn, rooks }) {
  const king = kingOf(board, turn);
  const rank = turn === "w" ? 0 : 56;
  return rooks.filter((rook) => (rook < 8) === (turn === "w")).flatMap((rook) => {
    const [to, rookTo] = rook > king ? [rank + 6, rank + 5] : [rank + 2, rank + 3];
    const all = [king, to, rook, rookTo];
    const way = [];
    for (let at = Math.min(...all); at <= Math.max(...all); at += 1) way.push(at);
    const between = (at) => at >= Math.min(king, to) && at <= Math.max(king, to);
    const onWay = (at) => between(at) || (at >= Math.min(rook, rookTo) && at <= Math.max(rook, rookTo));
    const isFree = way.every((at) => !onWay(at) || at === king || at === rook || board[at] === "");
    const isSafe = way.every((at) => !between(at) || !isAttacked(board, at, other(turn)));
    return isFree && isSafe ? [{ from: king, to, rook, rookTo }] : [];
  });
}

function moves(position) {
  const { board, turn } = position;
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
    return !isAttacked(after, kingOf(after, turn), other(turn));
  });
}

/** Returns the board after a move. */
function boardAfter(board, turn, { from, to, promotion, taken, rook, rookTo }) {
  const after = [...board];
  const piece = board[from];
  after[from] = "";
  if (taken !== undefined) after[taken] = "";
  if (rook !== undefined) after[rook] = "";
  after[to] = promotion ? (turn === "w" ? promotion.toUpperCase() : promotion) : piece;
  if (rook !== undefined) after[rookTo] = turn === "w" ? "R" : "r";
  return after;
}

function play(position, move) {
  const { board, turn, half, full, byFile } = position;
  const isPawn = board[move.from].toLowerCase() === "p";
  const isKing = board[move.from].toLowerCase() === "k";
  const isCapture = move.rook === undefined && board[move.to] !== "";
  const after = boardAfter(board, turn, move);
  const rooks = position.rooks.filter((rook) => rook !== move.from && rook !== move.to && !(isKing && (rook < 8) === (turn === "w")));
  const jumped = isPawn && Math.abs(move.to - move.from) === 16 ? (move.from + move.to) / 2 : -1;
  const next = { board: after, turn: other(turn), rooks, enPassant: jumped, half: isPawn || isCapture ? 0 : half + 1, full: full + (turn === "b" ? 1 : 0), byFile };
  // The en passant square is kept only if a legal capture exists.
  if (jumped >= 0 && !moves(next).some((move) => move.taken !== undefined)) next.enPassant = -1;
  return next;
}

/**
 * Returns the squares that a piece may move to after any reply: those that it reaches on an empty board. Pawns
 * may also capture, and a king on its first rank may castle with its rooks.
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

const isCheck = ({ board, turn }) => isAttacked(board, kingOf(board, turn), other(turn));

/** Returns the file, rank or square that distinguishes a move from those of equal pieces. */
function origin(position, { from, to }, all) {
  const piece = position.board[from];
  const rivals = all.filter((move) => move.to === to && move.from !== from && move.rook === undefined && position.board[move.from] === piece);
  if (rivals.length === 0) return "";
  if (rivals.every((rival) => rival.from % 8 !== from % 8)) return name(from)[0];
  return rivals.every((rival) => rival.from >> 3 !== from >> 3) ? name(from)[1] : name(from);
}

function san(position, move) {
  const { board } = position;
  const kind = board[move.from].toUpperCase();
  const takes = move.taken !== undefined || (move.rook === undefined && board[move.to] !== "");
  let text = kind + (kind === "P" ? "" : origin(position, move, moves(position))) + (takes ? "x" : "") + name(move.to);
  if (kind === "P") text = (takes ? name(move.from)[0] : "") + text.slice(1) + (move.promotion ? "=" + move.promotion.toUpperCase() : "");
  if (move.rook !== undefined) text = move.rook > move.from ? "O-O" : "O-O-O";
  const next = play(position, move);
  if (!isCheck(next)) return text;
  return text + (moves(next).length === 0 ? "#" : "+");
}

export const rules = { read, fen, moves, play, san, isCheck, kingOf, isOwn, premoves, name, square };
