//! The page that plays searches of a chess tree, in windows of several sizes.

use std::fs;
use std::process::Command;

use super::in_browser;

const ENDING: &str = "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1";
/// Widths and heights of windows in pixels: laptops, and phones in landscape orientation.
const WINDOWS: [(u32, u32); 4] = [(1400, 900), (1366, 650), (932, 430), (844, 390)];

#[test]
fn the_current_node_and_its_board_are_visible_without_scrolling() {
    let directory = tempfile::tempdir().unwrap();
    let mut draw = Command::new(env!("CARGO_BIN_EXE_outrider"));
    draw.args(["lab", "draw", "--algorithm", "alphabeta-soft,negascout", "--position", ENDING])
        .args(["--depth", "3", "--output", "ending.html"])
        .current_dir(directory.path());
    assert!(draw.output().unwrap().status.success());
    let html = fs::read_to_string(directory.path().join("ending.html")).unwrap();
    in_browser(async |page| {
        page.frame(html).await;
        for (width, height) in WINDOWS {
            page.resize_frame((width, height)).await;
            // The page is laid out again shortly after its window has changed.
            let step = "const inner = document.getElementById('frame').contentDocument; \
                const slider = inner.getElementById('slider'); \
                if (!slider || inner.readyState !== 'complete') return false; \
                slider.value = 60; slider.dispatchEvent(new Event('input')); \
                const shapes = [...inner.querySelectorAll('.current .shape')]; \
                const end = inner.querySelector('.controls').getBoundingClientRect().top; \
                return shapes.length === 2 \
                    && shapes.every(it => it.getBoundingClientRect().bottom <= end)";
            page.until(step).await;
            let measured = "const inner = document.getElementById('frame').contentDocument; \
                const bottoms = selector => [...inner.querySelectorAll(selector)] \
                    .map(it => it.getBoundingClientRect().bottom); \
                const controls = inner.querySelector('.controls').getBoundingClientRect(); \
                return [controls.top, bottoms('.current .shape'), bottoms('figure .board')]";
            let measured = page.run(measured, &[]).await;
            let end = measured[0].as_f64().expect("where the controls begin");
            for seen in [&measured[1], &measured[2]] {
                let bottoms = seen.as_array().expect("two panels");
                assert_eq!(bottoms.len(), 2);
                for bottom in bottoms {
                    let bottom = bottom.as_f64().expect("a length");
                    assert!(bottom <= end, "{width} × {height}: {bottom} lies under {end}");
                }
            }
        }
    });
}
