//! What is answered to a request that is refused: a status and a sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::client::AnalysisRefusal;
use super::game::GameRefusal;
use super::study::StudyError;
use super::work::WorkError;
use outrider_protocol::session::Message;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    reason: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Refusal {
        Refusal { status, reason: reason.into() }
    }

    /// The client has ended, or the server was started again.
    pub(crate) fn unknown_client() -> Refusal {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown client: the server was restarted or the client has expired",
        )
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.reason }))).into_response()
    }
}

/// What was asked for is understood, but cannot be done.
macro_rules! unprocessable {
    ($($error:ty),*) => {
        $(impl From<$error> for Refusal {
            fn from(error: $error) -> Refusal {
                Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
            }
        })*
    };
}

unprocessable!(AnalysisRefusal, GameRefusal, Message, StudyError, WorkError);
