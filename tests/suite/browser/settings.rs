//! Remembered settings, and sounds.

use serde_json::json;

use super::in_browser;

#[test]
fn the_choices_for_a_game_and_the_analysis_are_remembered() {
    in_browser(async |page| {
        page.fill("#elo", "1850").await;
        page.click("[data-clock='3+2']").await;
        page.click("[name=side][value=black]").await;
        page.click("#tab-analyse").await;
        page.fill("#lines", "5").await;
        page.click("#arrows").await;
        page.client.refresh().await.unwrap();
        page.until("return server?.source?.readyState === 1").await;
        let chosen = "const value = (selector) => document.querySelector(selector).value; \
            return [value('#elo'), value('#minutes'), value('#increment'), value('[name=side]:checked'), value('#lines'), \
                document.querySelector('#timed').checked, document.querySelector('#arrows').checked, \
                document.querySelector('#level').textContent.split('.')[0], \
                document.querySelector('#clocks [aria-pressed=true]').textContent]";
        let expected =
            json!(["1850", "3", "2", "black", "5", true, false, "Strong club player", "3+2"]);
        assert_eq!(page.run(chosen, &[]).await, expected);
    });
}

#[test]
fn every_measured_level_has_a_name() {
    in_browser(async |page| {
        let mut names = Vec::new();
        for elo in outrider_engine::search::StrengthLimit::measured() {
            page.fill("#elo", &elo.to_string()).await;
            names.push(page.text("#level").await);
        }
        names.dedup();
        assert_eq!(names.len(), 9, "{names:?}");
    });
}

#[test]
fn a_level_is_chosen_from_a_list_that_says_what_it_means() {
    in_browser(async |page| {
        page.click("#all-levels summary").await;
        let entries = "return [...document.querySelectorAll('#level-list button')].map((level) => level.textContent)";
        let entries: Vec<String> = serde_json::from_value(page.run(entries, &[]).await).unwrap();
        assert_eq!(entries.len(), 10, "nine levels and full strength: {entries:?}");
        assert!(entries.iter().all(|entry| entry.ends_with('.')), "{entries:?}");
        page.click("#level-list li:nth-child(2) button").await;
        let chosen = "return [document.querySelector('#elo').value, document.querySelector('#full').checked, \
            document.querySelector('#level').textContent.split('.')[0], document.querySelector('#all-levels').open]";
        assert_eq!(page.run(chosen, &[]).await, json!(["750", false, "Beginner", false]));
        page.client.refresh().await.unwrap();
        page.until("return server?.source?.readyState === 1").await;
        assert_eq!(page.run(chosen, &[]).await, json!(["750", false, "Beginner", false]));
    });
}

#[test]
fn the_number_of_a_chess960_position_is_chosen_remembered_and_shown() {
    in_browser(async |page| {
        page.click("#number-random").await;
        let number = "return Number(document.querySelector('#number').value)";
        let number = page.run(number, &[]).await;
        page.client.refresh().await.unwrap();
        page.until("return server?.source?.readyState === 1").await;
        for number in [number, json!(0), json!(518), json!(959)] {
            page.run("document.querySelector('#new-game').open = true", &[]).await;
            let field = "return document.querySelector('#number').value";
            let number = number.to_string();
            if page.run(field, &[]).await != number.as_str() {
                page.fill("#number", &number).await;
            }
            page.click("#setup [type=submit]").await;
            let words = format!("Chess960, position {number}");
            page.until(&format!(
                "return play.game && document.querySelector('#play-opening').textContent === '{words}'"
            ))
            .await;
        }
    });
}

#[test]
fn moves_are_heard_unless_the_sound_is_off() {
    in_browser(async |page| {
        let count = "window.tones = 0; const start = OscillatorNode.prototype.start; \
            OscillatorNode.prototype.start = function (...at) { window.tones += 1; start.apply(this, at); }";
        page.run(count, &[]).await;
        page.begin("").await;
        page.square("e2").await;
        page.square("e4").await;
        page.until("return play.game.plies.length === 2").await;
        let heard = page.run("return window.tones", &[]).await;
        assert!(heard.as_u64() >= Some(2), "{heard} tones of two moves");
        page.click("#sound").await;
        assert_eq!(page.find("#sound").await.attr("aria-pressed").await.unwrap().unwrap(), "false");
        page.square("d2").await;
        page.square("d3").await;
        page.until("return play.game.plies.length === 4").await;
        assert_eq!(page.run("return window.tones", &[]).await, heard);
        page.client.refresh().await.unwrap();
        page.until("return play?.game?.plies.length === 4").await;
        assert_eq!(page.find("#sound").await.attr("aria-pressed").await.unwrap().unwrap(), "false");
    });
}
