//! The pictures of README. To make them again, run `cargo test --profile quick --test suite
//! browser::pictures -- --ignored`, then `pngquant --force --ext .png .github/serve-*.png` to make
//! them small.

use std::fs;
use std::path::Path;

use super::{Page, in_browser};

const GAME: &str = "[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ \
    4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5 12. h4 \
    Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ \
    20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0";

async fn picture(page: &Page, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github").join(name);
    let picture = page.client.screenshot().await.expect("a picture");
    fs::write(path, picture).expect("the picture is written");
}

#[test]
#[ignore = "writes the pictures of README"]
fn the_pictures_of_readme() {
    in_browser(async |page| {
        page.client.set_window_size(1120, 940).await.expect("another size");
        page.fill("#elo", "1500").await;
        page.click("#setup [type=submit]").await;
        for (played, mv) in ["d4", "c4", "Nc3", "e3"].into_iter().enumerate() {
            page.until("return play.game && !play.game.thinking").await;
            page.fill("#move-text", mv).await;
            page.click("#typed button").await;
            page.until(&format!("return play.game.plies.length === {}", 2 * played + 2)).await;
        }
        page.square("g1").await;
        picture(page, "serve-play.png").await;
        page.click("#tab-review").await;
        page.fill("#review-text", GAME).await;
        page.fill("#review-time", "300").await;
        page.click("#review-start").await;
        page.until("return review.work?.stage === 'done' && review.shown").await;
        page.run("document.activeElement.blur()", &[]).await;
        for _ in 0..3 {
            page.keys("n").await;
        }
        // The moved piece still glides.
        let is_still =
            "return document.getAnimations().every((each) => each.playState !== 'running')";
        page.until(is_still).await;
        picture(page, "serve-review.png").await;
        page.click("#tab-puzzles").await;
        page.until("return puzzles.list.length > 0").await;
        page.click("#puzzle-hint").await;
        page.run("document.activeElement.blur()", &[]).await;
        page.until(is_still).await;
        picture(page, "serve-puzzles.png").await;
    });
}
