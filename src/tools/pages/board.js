/**
 * Draws a position. `placement` is a FEN or its first field; `moved` contains the squares of the last
 * move; `arrows` is a list of [from, to, class]; `circles` is a list of [square, class]; `targets` are
 * the squares that the chosen piece can move to; with `flipped`, Black is at the bottom.
 */
function drawBoard(svg, { placement, moved = [], arrows = [], circles = [], targets = [], flipped = false }) {
  const size = 100;
  const pieces = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  const corner = (file, rank) => flipped ? [(7 - file) * size, rank * size] : [file * size, (7 - rank) * size];
  const place = (square) => [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  const parts = [`<rect class="light" width="800" height="800"/>`];
  const dark = [];
  for (let file = 0; file < 8; file += 1) {
    for (let rank = file % 2; rank < 8; rank += 2) dark.push(`M${corner(file, rank).join(" ")}h100v100h-100z`);
  }
  parts.push(`<path class="dark" d="${dark.join("")}"/>`);
  for (const square of moved) {
    const [file, rank] = place(square);
    const [x, y] = corner(file, rank);
    parts.push(`<rect class="moved ${(file + rank) % 2 === 0 ? "on-dark" : "on-light"}" x="${x}" y="${y}" width="100" height="100"/>`);
  }
  placement.split(" ")[0].split("/").forEach((row, below) => {
    let file = 0;
    for (const sign of row) {
      if (sign >= "1" && sign <= "8") {
        file += Number(sign);
        continue;
      }
      const [x, y] = corner(file, 7 - below);
      const colour = sign === sign.toLowerCase() ? "black" : "white";
      parts.push(`<use class="piece ${colour}" href="#${pieces[sign.toLowerCase()]}" x="${x}" y="${y}" width="100" height="100"/>`);
      file += 1;
    }
  });
  const middle = (square) => corner(...place(square)).map((edge) => edge + size / 2);
  // Coordinates are drawn in the corners of the squares, on top of the pieces.
  for (let index = 0; index < 8; index += 1) {
    const [rank, file] = flipped ? [7, 7] : [0, 0];
    const squareClass = (file, rank) => (file + rank) % 2 === 0 ? "on-dark" : "on-light";
    const [fileX, fileY] = corner(index, rank);
    const [rankX, rankY] = corner(file, index);
    parts.push(`<text class="label ${squareClass(index, rank)}" x="${fileX + 97}" y="${fileY + 96}" text-anchor="end">${"abcdefgh"[index]}</text>`,
      `<text class="label ${squareClass(file, index)}" x="${rankX + 3}" y="${rankY + 22}">${index + 1}</text>`);
  }
  for (const [from, to, name] of arrows) {
    const [[x0, y0], [x1, y1]] = [from, to].map(middle);
    const length = Math.hypot(x1 - x0, y1 - y0);
    const angle = Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI;
    const neck = length - 42;
    parts.push(`<path class="arrow ${name}" transform="translate(${x0} ${y0}) rotate(${angle.toFixed(2)})" d="M26 -9H${neck}V-26L${length - 4} 0L${neck} 26V9H26Z"/>`);
  }
  for (const [square, name] of circles) {
    const [x, y] = middle(square);
    parts.push(`<circle class="circle ${name}" cx="${x}" cy="${y}" r="45"/>`);
  }
  for (const square of targets) {
    const [x, y] = middle(square);
    parts.push(`<circle class="target" cx="${x}" cy="${y}" r="14"/>`);
  }
  svg.setAttribute("viewBox", "0 0 800 800");
  svg.innerHTML = parts.join("");
}
