//! The results of a run as a table for other programs (CSV, RFC 4180).

use serde::Serialize;

use super::record::AnswerRecord;
use super::solved::SolvedSuite;
use crate::score_record::ScoreRecord;

/// A row of the table. The fields mean the same as those of [`AnswerRecord`]; lists of moves are
/// separated by blanks, and a score is in one of two columns.
#[derive(Serialize)]
struct TableRow<'a> {
    file: &'a str,
    line: usize,
    id: Option<&'a str>,
    fen: &'a str,
    bm: String,
    am: String,
    dm: Option<i32>,
    solved: Option<bool>,
    played: Option<&'a str>,
    played_uci: Option<&'a str>,
    cp: Option<i32>,
    mate: Option<i32>,
    pv: String,
    points: Option<u32>,
    found_ms: Option<f64>,
    found_depth: Option<i32>,
    depth: i32,
    nodes: u64,
    elapsed_ms: f64,
}

impl<'a> TableRow<'a> {
    fn new(record: &'a AnswerRecord) -> TableRow<'a> {
        let (cp, mate) = match record.score {
            ScoreRecord::Cp(centipawns) => (Some(centipawns), None),
            ScoreRecord::Mate(moves) => (None, Some(moves)),
        };
        TableRow {
            file: &record.file,
            line: record.line,
            id: record.id.as_deref(),
            fen: &record.fen,
            bm: record.bm.join(" "),
            am: record.am.join(" "),
            dm: record.dm,
            solved: record.solved,
            played: record.played.as_deref(),
            played_uci: record.played_uci.as_deref(),
            cp,
            mate,
            pv: record.pv.join(" "),
            points: record.points,
            found_ms: record.found_ms,
            found_depth: record.found_depth,
            depth: record.depth,
            nodes: record.nodes,
            elapsed_ms: record.elapsed_ms,
        }
    }
}

/// Returns a row for each position, after a row with the names of the columns.
///
/// # Errors
///
/// Fails if the table cannot be written to memory.
pub fn table(solved: &[SolvedSuite<'_>]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for solved in solved {
        for (entry, answer) in solved.answered() {
            writer.serialize(TableRow::new(&AnswerRecord::new(solved.suite, entry, answer)))?;
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::path::Path;
    use std::time::Duration;

    use super::super::file::Suite;
    use super::super::solve::Answer;
    use super::*;
    use outrider_engine::units::Score;

    #[test]
    fn a_table_has_a_row_for_each_position_with_score_and_line() {
        let fen = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1";
        let text = format!("{fen}\n{fen} bm Ra8 Re8;\n{fen} am Kf1; id \"c,d\";");
        let suite = Suite::parse(Path::new("some.epd"), &text);
        let answer = |entry: &super::super::file::SuiteEntry| {
            let answer = Answer::for_tests(&entry.exercise, "Ra8", Duration::from_millis(3));
            Answer { score: if entry.line == 1 { Score::new(-31) } else { answer.score }, ..answer }
        };
        let answers = suite.entries.iter().map(answer).collect();
        let table = table(&[SolvedSuite::new(&suite, answers)]).unwrap();
        let mut reader = csv::Reader::from_reader(&table[..]);
        let rows: Vec<HashMap<String, String>> =
            reader.deserialize().collect::<Result<_, _>>().unwrap();
        let column = |name: &str| rows.iter().map(|row| row[name].as_str()).collect::<Vec<_>>();
        assert_eq!(column("line"), ["1", "2", "3"]);
        assert_eq!(column("fen"), [fen; 3]);
        assert_eq!(column("solved"), ["", "true", "true"]);
        assert_eq!(column("cp"), ["-31", "", ""]);
        assert_eq!(column("mate"), ["", "1", "1"]);
        assert_eq!(column("pv"), ["a1a8"; 3]);
        assert_eq!(column("bm"), ["", "Ra8# Re8#", ""]);
        assert_eq!(column("id")[2], "c,d");
    }
}
