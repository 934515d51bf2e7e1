//! Decides which requests are answered. Any web site can send requests to this machine, and its domain name
//! may resolve to it (DNS rebinding). So the `Host` header must be an IP address or `localhost`, requests
//! from other sites are refused, and a server that other machines can reach requires a secret.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::connection::close_after;
use super::error_page;
use super::refusal::Refusal;

/// Content security policy of the page: its own files and its own server only.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Checks requests.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    port: u16,
    /// `None` if the server listens on a loopback address, so that only this machine can connect.
    secret: Option<Secret>,
}

/// Secret key of the link.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    fn random() -> Secret {
        Secret(format!("{:032x}{:032x}", rand::random::<u128>(), rand::random::<u128>()))
    }

    /// Compares in constant time, so that the duration reveals nothing about the position of a difference.
    fn matches(&self, text: &str) -> bool {
        let different = self.0.bytes().zip(text.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        self.0.len() == text.len() && different == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Guard {
    /// Creates the guard of a server at this address. It has a secret unless the address is loopback.
    pub(crate) fn new(address: SocketAddr) -> Guard {
        let secret = (!address.ip().is_loopback()).then(Secret::random);
        Guard { port: address.port(), secret }
    }

    /// Returns the URL of the page, with the secret if there is one.
    pub(crate) fn link(&self, address: SocketAddr) -> String {
        let host = if address.ip().is_unspecified() {
            "localhost".to_owned()
        } else {
            SocketAddr::new(address.ip(), 0).to_string().trim_end_matches(":0").to_owned()
        };
        let secret = self.secret.as_ref().map(|secret| format!("?key={}", secret.0));
        format!("http://{host}:{}/{}", self.port, secret.unwrap_or_default())
    }

    /// Returns the name of the cookie. Cookies are shared by all ports of a host, so the name has the port.
    fn cookie_name(&self) -> String {
        format!("outrider-{}", self.port)
    }

    fn check(&self, request: &Request) -> Result<Admission, Refusal> {
        let headers = request.headers();
        let host =
            header_text(headers, header::HOST).or_else(|| request.uri().host()).unwrap_or_default();
        if !self.is_plain_address(host) {
            return Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "open the page at the address that the server printed",
            ));
        }
        if is_cross_site(request, host) {
            return Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "requests from other sites are refused",
            ));
        }
        let Some(secret) = &self.secret else {
            return Ok(Admission { cookie: None });
        };
        let given = cookies(headers).find(|(name, _)| *name == self.cookie_name());
        if given.is_some_and(|(_, value)| secret.matches(value)) {
            return Ok(Admission { cookie: None });
        }
        let query = request.uri().query().unwrap_or_default();
        let key = query.split('&').find_map(|pair| pair.strip_prefix("key="));
        if key.is_some_and(|key| secret.matches(key)) {
            let (name, value) = (self.cookie_name(), &secret.0);
            let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict");
            return Ok(Admission { cookie: HeaderValue::from_str(&cookie).ok() });
        }
        Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "the link lacks the right key; open the complete link that the server printed",
        ))
    }

    /// Returns true if the host is `localhost` or an IP address, with the server's port. A rebound domain
    /// name is neither.
    fn is_plain_address(&self, host: &str) -> bool {
        if let Ok(address) = host.parse::<SocketAddr>() {
            return address.port() == self.port;
        }
        if let Some(name) = host.strip_suffix(&format!(":{}", self.port)) {
            return name == "localhost";
        }
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        self.port == 80 && (host == "localhost" || bare.parse::<IpAddr>().is_ok())
    }
}

/// An accepted request, with the cookie to set.
struct Admission {
    cookie: Option<HeaderValue>,
}

/// Answers accepted requests and adds the security headers to every response.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let wants_page = error_page::is_wanted(request.method(), request.headers());
    let path = request.uri().path().to_owned();
    let mut response = match guard.check(&request) {
        Ok(Admission { cookie }) => {
            let mut response = next.run(request).await;
            if let Some(cookie) = cookie {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
        Err(refusal) => {
            let mut response = refusal.into_response();
            // A stranger gets one answer for each connection.
            close_after(&mut response);
            response
        }
    };
    if wants_page && (response.status().is_client_error() || response.status().is_server_error()) {
        let connection = response.headers_mut().remove(header::CONNECTION);
        response = error_page::page(&response, &path);
        response.headers_mut().extend(connection.map(|value| (header::CONNECTION, value)));
    }
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        // A handler may have set its own policy.
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Returns true if another site sent the request, by its `Origin` and `Sec-Fetch-Site` headers. Following
/// a link to the page is allowed.
fn is_cross_site(request: &Request, host: &str) -> bool {
    let headers = request.headers();
    let own = format!("http://{host}");
    if header_text(headers, header::ORIGIN).is_some_and(|origin| origin != own) {
        return true;
    }
    let fetch = |name| header_text(headers, HeaderName::from_static(name));
    let is_own = fetch("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let follows_link = request.method() == Method::GET
        && request.uri().path() == "/"
        && fetch("sec-fetch-mode") == Some("navigate");
    !is_own && !follows_link
}

fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn accepts_request(address: &str, headers: &[(&str, &str)], path: &str) -> bool {
        let guard = Guard::new(address.parse().unwrap());
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        guard.check(&request.body(Body::empty()).unwrap()).is_ok()
    }

    #[test]
    fn only_ip_addresses_and_localhost_with_the_right_port_are_accepted() {
        let accepts = |host| accepts_request("127.0.0.1:8080", &[("host", host)], "/");
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            assert!(accepts(host), "{host}");
        }
        for host in [
            "evil.example:8080",
            "localhost",
            "127.0.0.1",
            "127.0.0.1:80",
            "",
            "localhost.evil.example:8080",
        ] {
            assert!(!accepts(host), "{host}");
        }
        assert!(accepts_request("127.0.0.1:80", &[("host", "localhost")], "/"));
    }

    #[test]
    fn requests_from_other_sites_are_refused_but_links_may_be_followed() {
        let with = |headers: &[_], path| {
            let host = [("host", "localhost:8080")];
            accepts_request("127.0.0.1:8080", &[&host, headers].concat(), path)
        };
        assert!(with(&[("origin", "http://localhost:8080")], "/api/clients"));
        assert!(!with(&[("origin", "http://evil.example")], "/api/clients"));
        assert!(!with(&[("origin", "null")], "/api/clients"));
        assert!(with(&[("sec-fetch-site", "same-origin")], "/api/clients"));
        let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert!(with(&link, "/") && !with(&link, "/api/clients"));
        assert!(!with(&link[..1], "/"));
    }

    #[test]
    fn a_server_for_other_machines_answers_only_with_the_secret() {
        let address: SocketAddr = "192.0.2.1:8080".parse().unwrap();
        let guard = Guard::new(address);
        let link = guard.link(address);
        let key = link.strip_prefix("http://192.0.2.1:8080/").unwrap();
        let check = |path: &str, cookie: &str| {
            let request = Request::builder().uri(path).header("host", "192.0.2.1:8080");
            guard.check(&request.header("cookie", cookie).body(Body::empty()).unwrap())
        };
        assert!(check("/", "").is_err() && check("/?key=", "").is_err());
        assert!(check("/?key=0123", "").is_err());
        let cookie = check(&format!("/{key}"), "").unwrap().cookie.unwrap();
        let pair = cookie.to_str().unwrap().split(';').next().unwrap();
        assert!(check("/api/clients", &format!("a=b; {pair}")).is_ok());
        assert!(check("/api/clients", &pair[..pair.len() - 1]).is_err());
    }
}
