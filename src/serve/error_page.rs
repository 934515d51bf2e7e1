//! Error responses as HTML pages, for addresses that a person opens in a browser.

use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};

use super::refusal::Refusal;
use outrider_tools::pages::{escape, fill};

const PAGE: &str = include_str!("page/error_frame.html");
const STYLE: &str = include_str!("page/error.css");

/// Content security policy of the page: it has a style and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Link to the application.
const TO_APPLICATION: &str = "<a href=\"/\">Open Outrider</a>";

/// Returns true if a browser opens the address for a person. Scripts do not ask for HTML.
pub(crate) fn is_wanted(method: &Method, headers: &HeaderMap) -> bool {
    let accepted =
        headers.get_all(header::ACCEPT).into_iter().filter_map(|line| line.to_str().ok());
    let mut kinds = accepted.flat_map(|line| line.split(','));
    let accepts_html = kinds.any(|kind| {
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
    });
    matches!(*method, Method::GET | Method::HEAD) && accepts_html
}

/// Returns an error response as a page. `path` is the path of the request.
pub(crate) fn page(error: &Response, path: &str) -> Response {
    let status = error.status();
    let unknown = Refusal::new(status, status.canonical_reason().unwrap_or("unknown error"));
    let reason = error.extensions().get::<Refusal>().unwrap_or(&unknown).reason();
    let (title, advice) = words(status, path);
    let texts = [
        ("title", escape(title)),
        ("style", STYLE.to_owned()),
        ("reason", escape(&sentence(reason))),
        ("advice", advice.replace("{link}", TO_APPLICATION)),
    ];
    let texts = texts.each_ref().map(|(name, text)| (*name, text.as_str()));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    ];
    (status, headers, fill(PAGE, &texts)).into_response()
}

/// Returns the title of the page and what to do.
fn words(status: StatusCode, path: &str) -> (&'static str, &'static str) {
    let is_result = path.contains("/review/") || path.contains("/suite/");
    match status {
        StatusCode::FORBIDDEN => (
            "Outrider does not open this address",
            "Copy the complete address from the terminal in which Outrider runs. With --listen the \
             address has a new key after each start.",
        ),
        StatusCode::NOT_FOUND if is_result => (
            "This page no longer exists",
            "A report exists as long as the page that made it is open and the server runs. Run the \
             review or the test suite again. {link}",
        ),
        StatusCode::NOT_FOUND => ("There is no such page", "{link}"),
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
            ("This page cannot be made", "Check the address. {link}")
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            ("This address is not a page", "Programs use this address. {link}")
        }
        _ => ("Outrider cannot answer", "Try again later. {link}"),
    }
}

/// Returns a reason as a sentence with a capital letter and a full stop.
fn sentence(reason: &str) -> String {
    let mut chars = reason.chars();
    let first = chars.next().map(|first| first.to_uppercase().collect::<String>());
    let end = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.unwrap_or_default(), chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_browser_that_opens_an_address_gets_a_page() {
        let wanted = |method, accept: &'static str| {
            let headers = [(header::ACCEPT, HeaderValue::from_static(accept))];
            is_wanted(&method, &headers.into_iter().collect())
        };
        assert!(wanted(Method::GET, "text/html,application/xhtml+xml,*/*;q=0.8"));
        assert!(wanted(Method::GET, "application/xml;q=0.9, Text/HTML;level=1"));
        assert!(!wanted(Method::GET, "*/*") && !wanted(Method::GET, "text/event-stream"));
        assert!(!wanted(Method::POST, "text/html"));
        assert!(!is_wanted(&Method::GET, &HeaderMap::new()));
    }
}
