/** Draws the board of a row; `data-board` is its index in the page's data. */
function drawRow(row) {
  const board = row.querySelector(".board");
  drawBoard(board, data[board.dataset.board]);
}

/** Shows a row's board large when it is clicked, with the text that `describe` makes of the row's cells. */
function enableEnlarging(describe) {
  const large = find("large");
  find("rows").addEventListener("click", (event) => {
    const picture = event.target.closest(".picture button");
    if (!picture) return;
    const row = picture.closest("tr");
    const board = picture.firstElementChild;
    drawBoard(large.querySelector(".board"), data[board.dataset.board]);
    find("large-name").textContent = row.dataset.name;
    find("large-answer").textContent = describe((name) => row.querySelector("." + name).textContent);
    find("large-fen").textContent = board.dataset.fen;
    find("copy-fen").textContent = "Copy FEN";
    large.showModal();
  });
  large.addEventListener("click", (event) => { if (event.target === large) large.close(); });
  find("copy-fen").addEventListener("click", async () => {
    find("copy-fen").textContent = await copyText(find("large-fen").textContent) ? "FEN copied" : "The browser refused to copy";
  });
}
