//! Extractors like those of axum, with a time limit for the body and errors in the form of [`Refusal`].

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::{JsonRejection, StringRejection};
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::refusal::Refusal;

/// Maximum size in bytes of a request body that is not a file.
pub(crate) const MAX_BODY: usize = 64 << 10;
/// Maximum size in bytes of a file.
pub(crate) const MAX_FILE: usize = 4 << 20;
/// Time limit for reading a request body. Handling the request may take longer.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A JSON body.
pub(crate) struct JsonBody<T>(pub T);

impl<T, S> FromRequest<S> for JsonBody<T>
where
    Json<T>: FromRequest<S, Rejection = JsonRejection>,
    S: Send + Sync,
{
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, Refusal> {
        match in_time(Json::from_request(request, state)).await? {
            Ok(Json(value)) => Ok(JsonBody(value)),
            Err(error) => Err(refusal(error.status(), error.body_text())),
        }
    }
}

/// A text body.
pub(crate) struct TextBody(pub String);

impl<S: Send + Sync> FromRequest<S> for TextBody {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<TextBody, Refusal> {
        let refused = |error: StringRejection| refusal(error.status(), error.body_text());
        in_time(String::from_request(request, state)).await?.map(TextBody).map_err(refused)
    }
}

/// The query string of the URL.
pub(crate) struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, Refusal> {
        match extract::Query::from_request_parts(parts, state).await {
            Ok(extract::Query(value)) => Ok(Query(value)),
            Err(error) => Err(refusal(error.status(), error.body_text())),
        }
    }
}

async fn in_time<T>(reading: impl Future<Output = T>) -> Result<T, Refusal> {
    let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive");
    tokio::time::timeout(TIMEOUT, reading).await.map_err(late)
}

fn refusal(status: StatusCode, reason: String) -> Refusal {
    if status != StatusCode::PAYLOAD_TOO_LARGE {
        return Refusal::new(status, reason);
    }
    let (megabytes, kilobytes) = (MAX_FILE >> 20, MAX_BODY >> 10);
    let reason = format!(
        "too large: a file has at most {megabytes} MB, any other request at most {kilobytes} KB"
    );
    Refusal::new(status, reason)
}
