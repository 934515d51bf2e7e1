//! Error responses: a status code and a reason. The guard turns them into HTML pages for people.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde_json::json;

use super::client::AnalysisRefusal;
use super::game::GameRefusal;
use super::inside::InsideError;
use super::study::StudyError;
use super::work::WorkError;
use outrider_protocol::session::PositionError;

/// The error response to a request, sent as JSON. The response carries it as an extension.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    reason: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Refusal {
        Refusal { status, reason: reason.into() }
    }

    pub(crate) fn reason(&self) -> &str {
        &self.reason
    }

    /// The client was removed, or the server was restarted.
    pub(crate) fn unknown_client() -> Refusal {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "the server does not know this page any more: it was restarted, or the page was away for too long",
        )
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.reason }));
        (self.status, Extension(self), body).into_response()
    }
}

/// Converts errors to status 422: the request is well-formed but cannot be carried out.
macro_rules! unprocessable {
    ($($error:ty),*) => {
        $(impl From<$error> for Refusal {
            fn from(error: $error) -> Refusal {
                Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
            }
        })*
    };
}

unprocessable!(AnalysisRefusal, GameRefusal, InsideError, PositionError, StudyError, WorkError);
