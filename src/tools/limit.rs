//! Limits for the search of one position.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use outrider_engine::search::Limits;

/// Limit for the search of one position. In files: `{"movetime_ms": 500}`, `{"nodes": 100000}` or
/// `{"depth": 12}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionLimit {
    /// Search time.
    #[serde(rename = "movetime_ms", with = "milliseconds")]
    MoveTime(Duration),
    /// Number of nodes.
    Nodes(u64),
    /// Depth in plies.
    Depth(i32),
}

impl PositionLimit {
    /// Returns a limit for about four times the work.
    pub(crate) fn longer(self) -> PositionLimit {
        match self {
            PositionLimit::MoveTime(time) => PositionLimit::MoveTime(time.saturating_mul(4)),
            PositionLimit::Nodes(nodes) => PositionLimit::Nodes(nodes.saturating_mul(4)),
            PositionLimit::Depth(plies) => PositionLimit::Depth(plies.saturating_add(3)),
        }
    }

    /// Converts to the limits of the engine.
    pub(crate) fn limits(self) -> Limits {
        match self {
            PositionLimit::MoveTime(time) => Limits::move_time(time),
            PositionLimit::Nodes(nodes) => Limits::nodes(nodes),
            PositionLimit::Depth(plies) => Limits::depth(plies),
        }
    }
}

impl std::fmt::Display for PositionLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PositionLimit::MoveTime(time) => write!(f, "{} ms per position", time.as_millis()),
            PositionLimit::Nodes(nodes) => write!(f, "{nodes} nodes per position"),
            PositionLimit::Depth(plies) => write!(f, "depth {plies}"),
        }
    }
}

/// Serializes a duration as a number of milliseconds.
mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(time.as_millis() as u64)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}
