//! The header of a file of games, which describes how its games were made.

use std::fmt;

use super::frame::Fields;

/// Settings that determine, together with the engine's version, every game of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameSettings {
    /// Seed of the random numbers. The numbers of a game follow from the seed and the game's number.
    pub seed: u64,
    /// Soft node limit per move: no iteration begins after it. It is lower with few pieces or if the
    /// score will not be used.
    pub nodes: u32,
    /// Chess960 games per thousand games, 0 to 1,000.
    pub chess960_permille: u16,
    /// Checksum of the network that plays. `None` for a hand-written evaluation.
    pub network: Option<u32>,
    /// Score in centipawns from which on a game counts as won. 0 if unknown (version 1 of the format).
    pub winning_score: u16,
    /// Endgame tables of up to four pieces ended games.
    pub tables: bool,
    /// Positions per thousand at which a random move was also tried, 0 to 1,000.
    pub deviations_permille: u16,
    /// The book of openings, if there was one.
    pub book: Option<BookSettings>,
}

/// Describes a book of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookSettings {
    /// Checksum of its positions.
    pub checksum: u32,
    /// Games per thousand that begin from it, 1 to 1,000.
    pub permille: u16,
}

/// Describes how the games after it in the file were made.
///
/// The body of its frame: seed (8 bytes), nodes per move (4), Chess960 games per thousand (2), then
/// the engine's version and its commit, each a length (1) and UTF-8 text. Since version 2 of the
/// format: the network's checksum (4, 0 for none), the winning score (2), and 1 if there were
/// tables (1). Since version 3: the deviations per thousand positions (2); then, if there was a book,
/// its checksum (4) and the games per thousand that begin from it (2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Settings of the games.
    pub settings: GameSettings,
    /// The engine's version. A file stores at most 255 bytes.
    pub version: String,
    /// Commit that the engine was built from, followed by `-changed` if the checkout had changes, or
    /// `unknown`. A file stores at most 255 bytes.
    pub commit: String,
}

impl Header {
    /// Creates the header of games by this version of the engine, built from `commit`.
    pub fn new(settings: GameSettings, commit: &str) -> Header {
        let commit = truncated(commit).to_owned();
        Header { settings, version: env!("CARGO_PKG_VERSION").to_owned(), commit }
    }

    pub(super) fn to_body(&self) -> Vec<u8> {
        let GameSettings {
            seed,
            nodes,
            chess960_permille,
            network,
            winning_score,
            tables,
            deviations_permille,
            book,
        } = self.settings;
        let mut body = Vec::new();
        body.extend(seed.to_le_bytes());
        body.extend(nodes.to_le_bytes());
        body.extend(chess960_permille.to_le_bytes());
        for text in [&self.version, &self.commit] {
            let text = truncated(text);
            body.push(text.len() as u8);
            body.extend(text.as_bytes());
        }
        body.extend(network.unwrap_or_default().to_le_bytes());
        body.extend(winning_score.to_le_bytes());
        body.push(tables.into());
        body.extend(deviations_permille.to_le_bytes());
        if let Some(BookSettings { checksum, permille }) = book {
            body.extend(checksum.to_le_bytes());
            body.extend(permille.to_le_bytes());
        }
        body
    }

    /// Reads the body of a frame. Returns `None` if it is not a header.
    pub(super) fn from_body(body: &[u8]) -> Option<Header> {
        let mut fields = Fields(body);
        let mut settings = GameSettings {
            seed: u64::from_le_bytes(fields.array()?),
            nodes: u32::from_le_bytes(fields.array()?),
            chess960_permille: u16::from_le_bytes(fields.array()?),
            network: None,
            winning_score: 0,
            tables: false,
            deviations_permille: 0,
            book: None,
        };
        let mut text = || Some(str::from_utf8(fields.length_prefixed()?).ok()?.to_owned());
        let (version, commit) = (text()?, text()?);
        if !fields.0.is_empty() {
            let checksum = u32::from_le_bytes(fields.array()?);
            settings.network = (checksum != 0).then_some(checksum);
            settings.winning_score = u16::from_le_bytes(fields.array()?);
            settings.tables = match fields.byte()? {
                0 => false,
                1 => true,
                _ => return None,
            };
        }
        if !fields.0.is_empty() {
            settings.deviations_permille = u16::from_le_bytes(fields.array()?);
        }
        if !fields.0.is_empty() {
            let checksum = u32::from_le_bytes(fields.array()?);
            settings.book =
                Some(BookSettings { checksum, permille: u16::from_le_bytes(fields.array()?) });
        }
        fields.0.is_empty().then_some(Header { settings, version, commit })
    }
}

/// Shortens a text to the 255 bytes that a file can store.
fn truncated(text: &str) -> &str {
    &text[..text.floor_char_boundary(usize::from(u8::MAX))]
}

impl fmt::Display for GameSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameSettings { seed, nodes, network, winning_score, tables, .. } = self;
        let percent = |permille: u16| f64::from(permille) / 10.0;
        let chess960 = percent(self.chess960_permille);
        write!(f, "seed {seed}, {nodes} nodes per move, {chess960} % Chess960")?;
        if self.deviations_permille > 0 {
            write!(f, ", {} % deviations", percent(self.deviations_permille))?;
        }
        if let Some(BookSettings { checksum, permille }) = self.book {
            write!(f, ", {} % from book {checksum:08x}", percent(permille))?;
        }
        if let Some(checksum) = network {
            write!(f, ", network {checksum:08x}")?;
        }
        if *winning_score > 0 {
            write!(f, ", won at {winning_score} cp")?;
        }
        f.write_str(if *tables { " or by tables" } else { "" })
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header { settings, version, commit } = self;
        write!(f, "{settings}, by version {version}, commit {commit}")
    }
}
