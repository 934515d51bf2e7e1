/** Returns the name of a square. @param {number} square */
export const squareName = (square) => "abcdefgh"[square % 8] + (1 + (square >> 3));
/** Returns the square with a name. @param {string} name */
export const squareNumber = (name) => name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1);

/** Reads the pieces of a FEN or of its first field. Returns the letter or "" of each square, from a1 to h8. @param {string} fen */
export function readPlacement(fen) {
  /** @type {string[]} */
  const board = new Array(64).fill("");
  fen.trim().split(/\s+/)[0].split("/").forEach((row, below) => {
    let at = 8 * (7 - below);
    for (const sign of row) {
      if (sign >= "1" && sign <= "8") at += Number(sign);
      else board[at++] = sign;
    }
  });
  return board;
}
