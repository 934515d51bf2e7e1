//! The options that can be set, each declared once: its name, its type, its default and range, and
//! what it changes.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};
use thiserror::Error;

use crate::engine::search::{FULL_SKILL, StrengthLimit, parameters};
use crate::engine::text::shorten;
use crate::protocol::session::{Change, EngineChange, OptionValue, OptionValues};

/// An option of the engine.
pub struct Declaration {
    name: &'static str,
    kind: Kind,
}

/// The type of an option, with what a value of it changes.
enum Kind {
    Spin { default: i64, range: RangeInclusive<i64>, change: Box<dyn Fn(i64) -> Change> },
    Check { default: bool, change: Box<dyn Fn(bool) -> Change> },
    Button { change: Change },
    Path { wanted: &'static str, change: fn(Option<&str>) -> Change },
}

/// The word for no path, and the most that is taken for paths, in bytes.
const NO_PATH: &str = "<empty>";
const LONGEST_PATH: usize = 4_096;

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option \"{}\"; nothing was set", shorten(.0))]
    Unknown(String),
    /// The value does not fit.
    #[error("option {name} needs {wanted}, not \"{}\"; it stays as it was", shorten(.found))]
    WrongValue {
        /// The option.
        name: &'static str,
        /// What it can be set to.
        wanted: String,
        /// The value given.
        found: String,
    },
}

/// All options, in the order in which they are told.
pub struct Options(Vec<Declaration>);

impl Options {
    /// The options of this build on this machine.
    pub fn new() -> Options {
        let defaults = OptionValues::default();
        let rules = defaults.tablebases;
        let hash = |megabytes| EngineChange::TableMegabytes(megabytes as usize);
        let threads = |threads| EngineChange::Threads(threads as usize);
        let overhead =
            |milliseconds| OptionValue::MoveOverhead(Duration::from_millis(milliseconds as u64));
        let default_hash = defaults.table_megabytes as i64;
        let default_overhead = defaults.move_overhead.as_millis() as i64;
        let elo = i64::from(*StrengthLimit::ELO.start())..=i64::from(*StrengthLimit::ELO.end());
        let mut declarations = vec![
            spin("Hash", default_hash, 1..=memory_megabytes().max(default_hash), hash),
            button("Clear Hash", EngineChange::Forget),
            spin("Threads", defaults.threads as i64, 1..=512, threads),
            check("Ponder", false, OptionValue::Pondering),
            spin("MultiPV", defaults.lines as i64, 1..=218, |lines| {
                OptionValue::Lines(lines as usize)
            }),
            spin("Move Overhead", default_overhead, 0..=5000, overhead),
            check("UCI_Chess960", defaults.chess960, OptionValue::Chess960),
            check("UCI_AnalyseMode", defaults.analyse, OptionValue::Analyse),
            check("UCI_ShowWDL", defaults.show_chances, OptionValue::ShowChances),
            check("OwnBook", defaults.own_book, OptionValue::OwnBook),
            path("BookFile", "the path of a file", |path| {
                Change::BookFile(path.map(PathBuf::from))
            }),
            check("UCI_LimitStrength", defaults.limit_strength, OptionValue::LimitStrength),
            spin("UCI_Elo", defaults.elo.into(), elo, |elo| OptionValue::Elo(elo as i32)),
            spin("Skill Level", FULL_SKILL.into(), 0..=FULL_SKILL.into(), |level| {
                OptionValue::SkillLevel(level as i32)
            }),
            path("EvalFile", "the path of a file", |path| {
                Change::Engine(EngineChange::Network(path.map(PathBuf::from)))
            }),
            path("SyzygyPath", "the paths of folders", |folders| {
                Change::Engine(EngineChange::Tablebases(folders.map(str::to_owned)))
            }),
            spin("SyzygyProbeDepth", rules.min_depth.into(), 1..=100, |depth| {
                OptionValue::ProbeDepth(depth as i32)
            }),
            spin("SyzygyProbeLimit", rules.max_pieces as i64, 0..=rules.max_pieces as i64, |men| {
                OptionValue::ProbeLimit(men as usize)
            }),
            check("Syzygy50MoveRule", rules.fifty_move_rule, EngineChange::FiftyMoveRule),
        ];
        if cfg!(feature = "tune") {
            declarations.extend(tunable());
        }
        Options(declarations)
    }

    /// What setting an option changes. Names are compared as the protocol wants, whatever the
    /// case of their letters.
    ///
    /// # Errors
    ///
    /// Fails if there is no such option or it does not take the value.
    pub fn set(&self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let declaration = self.0.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let option = declaration.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let value = value.unwrap_or_default();
        option.change(value).ok_or_else(|| OptionError::WrongValue {
            name: option.name,
            wanted: option.wanted(),
            found: value.to_owned(),
        })
    }
}

/// One line for each option.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, option) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{option}")?;
        }
        Ok(())
    }
}

impl Declaration {
    fn change(&self, value: &str) -> Option<Change> {
        match &self.kind {
            Kind::Spin { range, change, .. } => {
                value.parse().ok().filter(|number| range.contains(number)).map(change)
            }
            Kind::Check { change, .. } => value.to_ascii_lowercase().parse().ok().map(change),
            Kind::Button { change } => Some(change.clone()),
            Kind::Path { .. } if value.len() > LONGEST_PATH => None,
            Kind::Path { change, .. } => {
                Some(change((!value.is_empty() && value != NO_PATH).then_some(value)))
            }
        }
    }

    fn wanted(&self) -> String {
        match &self.kind {
            Kind::Spin { range, .. } => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Button { .. } => "no value".to_owned(),
            Kind::Path { wanted, .. } => (*wanted).to_owned(),
        }
    }
}

/// As the protocol tells of it.
impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Spin { default, range, .. } => {
                write!(f, "spin default {default} min {} max {}", range.start(), range.end())
            }
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Button { .. } => f.write_str("button"),
            Kind::Path { .. } => write!(f, "string default {NO_PATH}"),
        }
    }
}

/// The tunable numbers of the search.
fn tunable() -> impl Iterator<Item = Declaration> {
    parameters::all().iter().enumerate().map(|(index, parameter)| {
        let range = parameter.min.into()..=parameter.max.into();
        spin(parameter.name, parameter.default.into(), range, move |value| {
            EngineChange::Parameter { index, value: value as i32 }
        })
    })
}

fn spin<C: Into<Change>>(
    name: &'static str,
    default: i64,
    range: RangeInclusive<i64>,
    change: impl Fn(i64) -> C + 'static,
) -> Declaration {
    let change = Box::new(move |value| change(value).into());
    Declaration { name, kind: Kind::Spin { default, range, change } }
}

fn check<C: Into<Change>>(
    name: &'static str,
    default: bool,
    change: impl Fn(bool) -> C + 'static,
) -> Declaration {
    let change = Box::new(move |value| change(value).into());
    Declaration { name, kind: Kind::Check { default, change } }
}

fn button(name: &'static str, change: impl Into<Change>) -> Declaration {
    Declaration { name, kind: Kind::Button { change: change.into() } }
}

fn path(
    name: &'static str,
    wanted: &'static str,
    change: fn(Option<&str>) -> Change,
) -> Declaration {
    Declaration { name, kind: Kind::Path { wanted, change } }
}

/// The memory of this machine, or a guess if the system does not tell.
fn memory_megabytes() -> i64 {
    const GUESS: i64 = 1 << 16;
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    System::new_with_specifics(memory).map_or(GUESS, |system| (system.total_memory() >> 20) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_takes_its_own_default() {
        for option in Options::new().0 {
            let default = match &option.kind {
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Check { default, .. } => default.to_string(),
                Kind::Button { .. } => continue,
                Kind::Path { .. } => NO_PATH.to_owned(),
            };
            assert!(option.change(&default).is_some(), "{option}");
        }
    }

    #[test]
    fn options_are_told_in_the_words_of_the_protocol() {
        let text = Options::new().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("option name Hash type spin default 16 min 1 max "));
        assert!(lines.contains(&"option name Clear Hash type button"));
        assert!(lines.contains(&"option name MultiPV type spin default 1 min 1 max 218"));
        assert!(lines.contains(&"option name UCI_Chess960 type check default false"));
        assert!(lines.contains(&"option name EvalFile type string default <empty>"));
    }

    #[test]
    fn names_are_compared_whatever_the_case_of_their_letters() {
        let options = Options::new();
        assert_eq!(options.set("multipv", Some("3")), Ok(OptionValue::Lines(3).into()));
        assert_eq!(
            options.set("UCI_CHESS960", Some("True")),
            Ok(OptionValue::Chess960(true).into())
        );
        let cleared = EngineChange::Forget.into();
        assert_eq!(options.set("clear hash", None), Ok(cleared));
    }

    #[test]
    fn a_network_is_named_by_its_file_and_without_one_it_is_the_one_built_in() {
        let network =
            |path: Option<&str>| Ok(Change::Engine(EngineChange::Network(path.map(PathBuf::from))));
        let options = Options::new();
        assert_eq!(options.set("EvalFile", Some("my nets/a.b")), network(Some("my nets/a.b")));
        for none in [None, Some(""), Some("<empty>")] {
            assert_eq!(options.set("EvalFile", none), network(None));
        }
    }

    #[test]
    fn the_move_overhead_is_in_milliseconds() {
        let overhead = OptionValue::MoveOverhead(Duration::from_millis(250)).into();
        assert_eq!(Options::new().set("Move Overhead", Some("250")), Ok(overhead));
    }

    #[test]
    fn a_wrong_value_is_refused_with_what_would_be_right() {
        let options = Options::new();
        for (name, value, wanted) in [
            ("Threads", Some("0"), "from 1 to 512"),
            ("Threads", Some("two"), "from 1 to 512"),
            ("MultiPV", Some("219"), "from 1 to 218"),
            ("Move Overhead", Some("-1"), "from 0 to 5000"),
            ("MultiPV", Some("99999999999999999999"), "from 1 to 218"),
            ("Ponder", Some("1"), "true or false"),
            ("Hash", None, "from 1 to"),
            ("EvalFile", Some(&*"x".repeat(5_000)), "the path of a file"),
            ("SyzygyProbeLimit", Some("8"), "from 0 to 7"),
        ] {
            let error = options.set(name, value).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn an_option_that_does_not_exist_is_named() {
        let error = Options::new().set("No Such Option", Some("3")).unwrap_err().to_string();
        assert!(error.contains("\"No Such Option\""), "{error}");
    }
}
