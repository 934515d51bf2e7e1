//! Table of the UCI options: each row has a name, a type with its range, the field of the settings or the
//! change of the engine that it sets, and the value in use.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use crate::session::{
    Change, DEFAULT_TABLE_MEGABYTES, DEFAULT_THREADS, EngineChange, Settings, Values,
};
use outrider_engine::memory_limit::total_megabytes;
use outrider_engine::search::{FULL_SKILL, StrengthLimit, parameters};
use outrider_engine::tablebases::TablebaseRules;
use outrider_engine::text::shorten;

/// Spelling of "no path".
const NO_PATH: &str = "<empty>";
/// Maximum length of a path, or a list of paths, in bytes.
const MAX_PATH_BYTES: usize = 4_096;

/// Descriptions of path values in error messages.
const FILE: &str = "the path of a file";
const FOLDERS: &str = "the paths of folders";

/// Error of an option that was not set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum OptionError {
    #[error("there is no option \"{}\"; nothing was set", shorten(.0))]
    Unknown(String),
    #[error("option {name} needs {expected}, not \"{}\"; {} is kept", shorten(.found), shorten(.kept))]
    WrongValue { name: &'static str, expected: String, found: String, kept: String },
}

/// All options, in the order of the listing.
pub(super) struct Options(Vec<UciOption>);

impl Options {
    /// Creates the options of this build on this machine.
    pub(super) fn new() -> Options {
        let memory = memory_megabytes().max(DEFAULT_TABLE_MEGABYTES as i32);
        let mut rows = vec![
            engine(
                "Hash",
                1..=memory,
                DEFAULT_TABLE_MEGABYTES,
                EngineChange::TableMegabytes,
                |v| v.engine.table_megabytes,
            ),
            button("Clear Hash", EngineChange::Forget),
            engine("Threads", 1..=512, DEFAULT_THREADS, EngineChange::Threads, |v| {
                v.engine.threads
            }),
            check("Ponder", |s| &mut s.ponder),
            spin("MultiPV", 1..=218, |s| &mut s.multi_pv),
            spin("Move Overhead", 0..=5000, |s| &mut s.move_overhead),
            spin("nodestime", 0..=10_000, |s| &mut s.nodes_per_millisecond),
            check("UCI_Chess960", |s| &mut s.chess960),
            check("UCI_AnalyseMode", |s| &mut s.analyse_mode),
            check("UCI_ShowWDL", |s| &mut s.show_wdl),
            check("OwnBook", |s| &mut s.own_book),
            path("BookFile", FILE, Change::Book, |v| v.book.as_deref()),
            check("UCI_LimitStrength", |s| &mut s.limit_strength),
            spin("UCI_Elo", StrengthLimit::ELO, |s| &mut s.elo),
            spin("Skill Level", 0..=FULL_SKILL, |s| &mut s.skill_level),
            check("Pauses", |s| &mut s.pauses),
            path("EvalFile", FILE, EngineChange::Network, |v| v.engine.network.as_deref()),
            path("SyzygyPath", FOLDERS, EngineChange::Tablebases, |v| {
                v.engine.tablebases.as_deref().map(Path::new)
            }),
            spin("SyzygyProbeDepth", 1..=100, |s| &mut s.tablebases.min_depth),
            spin("SyzygyProbeLimit", 0..=TablebaseRules::MAX_PIECES as i32, |s| {
                &mut s.tablebases.max_pieces
            }),
            check("Syzygy50MoveRule", |s| &mut s.tablebases.fifty_move_rule),
        ];
        if parameters::TUNABLE {
            rows.extend(tunable());
        }
        Options(rows)
    }

    /// Returns the change that sets an option. Names are compared without regard to case, as UCI
    /// requires.
    ///
    /// # Errors
    ///
    /// Fails if there is no such option or the value is invalid. The error names the value that is kept.
    pub(super) fn change(
        &self,
        values: &Values,
        name: &str,
        value: Option<&str>,
    ) -> Result<Change, OptionError> {
        let row = self.0.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let option = row.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let value = value.unwrap_or_default();
        option.change(values.settings, value).ok_or_else(|| OptionError::WrongValue {
            name: option.name,
            expected: option.expected(),
            found: value.to_owned(),
            kept: option.current(values),
        })
    }
}

/// Prints one line for each option.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, option) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{option}")?;
        }
        Ok(())
    }
}

/// One row of the table.
struct UciOption {
    name: &'static str,
    kind: OptionKind,
}

/// Type of an option in UCI, and the effect of a value.
enum OptionKind {
    Spin { default: i32, range: RangeInclusive<i32>, change: SpinChange, current: CurrentNumber },
    Check { default: bool, field: fn(&mut Settings) -> &mut bool },
    Button { change: EngineChange },
    Path { expected: &'static str, change: PathChange, current: CurrentPath },
}

/// Returns the change that a number makes to these settings or to the engine.
type SpinChange = Box<dyn Fn(Settings, i32) -> Change>;
/// Returns the number in use.
type CurrentNumber = Box<dyn Fn(&Values) -> i32>;
/// Returns the change that a path makes; `None` means no path.
type PathChange = Box<dyn Fn(Option<String>) -> Change>;
/// Returns the path in use.
type CurrentPath = fn(&Values) -> Option<&Path>;

impl UciOption {
    /// Returns the change that the value makes, or `None` if the value is invalid.
    fn change(&self, mut settings: Settings, value: &str) -> Option<Change> {
        match &self.kind {
            OptionKind::Spin { range, change, .. } => {
                let number = value.parse().ok().filter(|number| range.contains(number))?;
                Some(change(settings, number))
            }
            OptionKind::Check { field, .. } => {
                *field(&mut settings) = value.to_ascii_lowercase().parse().ok()?;
                Some(Change::Settings(settings))
            }
            OptionKind::Button { change } => Some(change.clone().into()),
            OptionKind::Path { .. } if value.len() > MAX_PATH_BYTES => None,
            OptionKind::Path { change, .. } => {
                let given = !value.is_empty() && value != NO_PATH;
                Some(change(given.then(|| value.to_owned())))
            }
        }
    }

    /// Returns the value in use, as `setoption` would give it.
    fn current(&self, values: &Values) -> String {
        match &self.kind {
            OptionKind::Spin { current, .. } => current(values).to_string(),
            OptionKind::Check { field, .. } => field(&mut { values.settings }).to_string(),
            OptionKind::Button { .. } => String::new(),
            OptionKind::Path { current, .. } => {
                current(values).map_or(NO_PATH.to_owned(), |path| path.display().to_string())
            }
        }
    }

    /// Description of the valid values.
    fn expected(&self) -> String {
        match &self.kind {
            OptionKind::Spin { range, .. } => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Button { .. } => "no value".to_owned(),
            OptionKind::Path { expected, .. } => (*expected).to_owned(),
        }
    }
}

/// Prints the option as UCI announces it.
impl fmt::Display for UciOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Spin { default, range, .. } => {
                write!(f, "spin default {default} min {} max {}", range.start(), range.end())
            }
            OptionKind::Check { default, .. } => write!(f, "check default {default}"),
            OptionKind::Button { .. } => f.write_str("button"),
            OptionKind::Path { .. } => write!(f, "string default {NO_PATH}"),
        }
    }
}

/// A value that a spin option can set.
trait Number: Copy {
    fn from_number(number: i32) -> Self;
    fn number(self) -> i32;
}

impl Number for i32 {
    fn from_number(number: i32) -> i32 {
        number
    }

    fn number(self) -> i32 {
        self
    }
}

/// The ranges of counts start at 0 or 1, so the conversions lose nothing.
impl Number for usize {
    fn from_number(number: i32) -> usize {
        number as usize
    }

    fn number(self) -> i32 {
        self as i32
    }
}

/// The number is in milliseconds.
impl Number for Duration {
    fn from_number(number: i32) -> Duration {
        Duration::from_millis(number as u64)
    }

    fn number(self) -> i32 {
        self.as_millis() as i32
    }
}

/// Creates a check option for a field of the settings.
fn check(name: &'static str, field: fn(&mut Settings) -> &mut bool) -> UciOption {
    let default = *field(&mut Settings::default());
    UciOption { name, kind: OptionKind::Check { default, field } }
}

/// Creates a spin option for a field of the settings.
fn spin<N: Number + 'static>(
    name: &'static str,
    range: RangeInclusive<i32>,
    field: fn(&mut Settings) -> &mut N,
) -> UciOption {
    let default = field(&mut Settings::default()).number();
    let change = Box::new(move |mut settings, number| {
        *field(&mut settings) = N::from_number(number);
        Change::Settings(settings)
    });
    let current = Box::new(move |values: &Values| field(&mut { values.settings }).number());
    UciOption { name, kind: OptionKind::Spin { default, range, change, current } }
}

/// Creates a spin option that changes the engine.
fn engine<N: Number>(
    name: &'static str,
    range: RangeInclusive<i32>,
    default: N,
    change: impl Fn(N) -> EngineChange + 'static,
    current: impl Fn(&Values) -> N + 'static,
) -> UciOption {
    let default = default.number();
    let change = Box::new(move |_, number| change(N::from_number(number)).into());
    let current = Box::new(move |values: &Values| current(values).number());
    UciOption { name, kind: OptionKind::Spin { default, range, change, current } }
}

/// Creates a button that changes the engine.
fn button(name: &'static str, change: EngineChange) -> UciOption {
    UciOption { name, kind: OptionKind::Button { change } }
}

/// Creates an option for the path of a file or the paths of folders.
fn path<P: From<String>, C: Into<Change>>(
    name: &'static str,
    expected: &'static str,
    change: impl Fn(Option<P>) -> C + 'static,
    current: CurrentPath,
) -> UciOption {
    let change = Box::new(move |path: Option<String>| change(path.map(P::from)).into());
    UciOption { name, kind: OptionKind::Path { expected, change, current } }
}

/// Creates the options for the tunable parameters of the search.
fn tunable() -> impl Iterator<Item = UciOption> {
    parameters::all().iter().enumerate().map(|(index, parameter)| {
        let range = parameter.min..=parameter.max;
        let change = move |value| EngineChange::Parameter { index, value };
        let current = move |values: &Values| {
            values.engine.parameters.get(&index).copied().unwrap_or(parameter.default)
        };
        engine(parameter.name, range, parameter.default, change, current)
    })
}

/// Memory of this machine, or a guess if the system does not report it.
fn memory_megabytes() -> i32 {
    const GUESS: i32 = 1 << 16;
    total_megabytes().map_or(GUESS, |megabytes| i32::try_from(megabytes).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn change(name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        Options::new().change(&Values::default(), name, value)
    }

    #[test]
    fn an_option_sets_its_field_and_no_other() {
        let settings = Settings { multi_pv: 7, ..Settings::default() };
        let mut values = Values { settings, ..Values::default() };
        for (name, value) in [
            ("multipv", "3"),
            ("UCI_CHESS960", "True"),
            ("Move Overhead", "250"),
            ("SyzygyProbeLimit", "0"),
            ("UCI_Elo", "450"),
        ] {
            match Options::new().change(&values, name, Some(value)) {
                Ok(Change::Settings(changed)) => values.settings = changed,
                other => panic!("{name}: {other:?}"),
            }
        }
        let mut expected = Settings {
            multi_pv: 3,
            chess960: true,
            move_overhead: Duration::from_millis(250),
            elo: 450,
            ..Settings::default()
        };
        expected.tablebases.max_pieces = 0;
        assert_eq!(values.settings, expected);
    }

    #[test]
    fn no_two_options_set_the_same_field() {
        let mut changes = Vec::new();
        for option in Options::new().0 {
            let value = match &option.kind {
                OptionKind::Spin { default, range, .. } if default == range.end() => {
                    (default - 1).to_string()
                }
                OptionKind::Spin { default, .. } => (default + 1).to_string(),
                OptionKind::Check { default, .. } => (!default).to_string(),
                OptionKind::Button { .. } | OptionKind::Path { .. } => continue,
            };
            let change = option.change(Settings::default(), &value);
            assert_ne!(change, Some(Change::Settings(Settings::default())), "{option}");
            assert!(!changes.contains(&change), "{option}");
            changes.push(change);
        }
    }

    #[test]
    fn each_option_accepts_its_default() {
        for option in Options::new().0 {
            let default = match &option.kind {
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Check { default, .. } => default.to_string(),
                OptionKind::Button { .. } => continue,
                OptionKind::Path { .. } => NO_PATH.to_owned(),
            };
            assert!(option.change(Settings::default(), &default).is_some(), "{option}");
        }
    }

    #[test]
    fn options_are_announced_as_uci_requires() {
        let text = Options::new().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("option name Hash type spin default 16 min 1 max "));
        assert!(lines.contains(&"option name Clear Hash type button"));
        assert!(lines.contains(&"option name MultiPV type spin default 1 min 1 max 218"));
        assert!(lines.contains(&"option name UCI_Chess960 type check default false"));
        assert!(lines.contains(&"option name EvalFile type string default <empty>"));
    }

    #[test]
    fn names_are_compared_without_regard_to_case() {
        assert_eq!(change("clear hash", None), Ok(EngineChange::Forget.into()));
        assert_eq!(change("THREADS", Some("3")), Ok(EngineChange::Threads(3).into()));
    }

    #[test]
    fn an_empty_path_selects_the_built_in_network() {
        let network =
            |path: Option<&str>| Ok(Change::Engine(EngineChange::Network(path.map(PathBuf::from))));
        assert_eq!(change("EvalFile", Some("my nets/a.b")), network(Some("my nets/a.b")));
        for none in [None, Some(""), Some("<empty>")] {
            assert_eq!(change("EvalFile", none), network(None));
        }
    }

    #[test]
    fn the_error_of_an_invalid_value_names_the_valid_ones() {
        for (name, value, expected) in [
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
            let error = change(name, value).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_refused_value_leaves_the_one_in_use_and_the_error_names_it() {
        let too_long = "x".repeat(MAX_PATH_BYTES + 1);
        let mut values = Values::default();
        for option in Options::new().0 {
            let (new, wrong) = match &option.kind {
                OptionKind::Spin { range, default, .. } => {
                    let other = if default == range.end() { range.start() } else { range.end() };
                    (
                        other.to_string(),
                        vec!["banana".to_owned(), (i64::from(i32::MAX) + 1).to_string()],
                    )
                }
                OptionKind::Check { default, .. } => ((!default).to_string(), vec!["1".to_owned()]),
                OptionKind::Path { .. } => ("a/b c".to_owned(), vec![too_long.clone()]),
                OptionKind::Button { .. } => continue,
            };
            let kept = |values: &Values, value: &str| {
                let error = Options::new().change(values, option.name, Some(value)).unwrap_err();
                let error = error.to_string();
                error.rsplit_once("; ").unwrap().1.strip_suffix(" is kept").unwrap().to_owned()
            };
            let default = option.to_string();
            let default = default.split(" default ").nth(1).unwrap();
            let default = default.split(" min ").next().unwrap().to_owned();
            for wrong in &wrong {
                assert_eq!(kept(&values, wrong), default, "{option}");
            }
            match option.change(values.settings, &new).unwrap() {
                Change::Settings(settings) => values.settings = settings,
                Change::Book(path) => values.book = path,
                Change::Engine(change) => values.engine.set(&change),
            }
            for wrong in &wrong {
                assert_eq!(kept(&values, wrong), new, "{option}");
            }
        }
    }

    #[test]
    fn the_error_of_an_unknown_option_names_it() {
        let error = change("No Such Option", Some("3")).unwrap_err().to_string();
        assert!(error.contains("\"No Such Option\""), "{error}");
    }
}
