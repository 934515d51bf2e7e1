/** Reads the pieces of a FEN or of its first field. Returns the letter or "" of each square, from a1 to h8. */
export function readPlacement(fen) {
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
