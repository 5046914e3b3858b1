//! The pages, which are built into the program: compressed before, so that serving them costs
//! nothing.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// What `npm run build` in `web` makes. Nothing where it was not run.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// What is said where the pages are missing.
pub const MISSING: &str = "this program was built without the pages: run `cargo xtask run` in \
                           the project, which builds them, or `npm ci && npm run build` in web \
                           and then cargo again";

/// Whether the pages are there.
#[must_use]
pub fn are_built_in() -> bool {
    Dist::get("index.html").is_some()
}

/// Answers every address that is not the API's: a file, or the page, which finds out by itself
/// what the address means.
pub(super) async fn page(request: Request) -> Response {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return super::guard::wrong_method(request.method().clone()).await.into_response();
    }
    let path = request.uri().path().trim_start_matches('/');
    let is_file = path.starts_with("assets/") || path.contains('.');
    let name = if is_file { path } else { "index.html" };
    if let Some(response) = file(name, request.headers()) {
        return response;
    }
    if is_file {
        // Never the page: a browser that gets it for a script shows nothing at all.
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    }
    (StatusCode::NOT_FOUND, format!("{MISSING}\n")).into_response()
}

fn file(name: &str, asked: &HeaderMap) -> Option<Response> {
    // Files beside the plain ones are not asked for by name.
    if name.ends_with(".br") || name.ends_with(".gz") {
        return None;
    }
    let plain = Dist::get(name)?;
    let accepts = asked.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let accepts = accepts.unwrap_or_default();
    let packed = [("br", "br"), ("gzip", "gz")].into_iter().find_map(|(encoding, ending)| {
        let listed = accepts.split(',').any(|one| {
            one.split(';').next() == Some(encoding)
                || one.trim().split(';').next() == Some(encoding)
        });
        let file = if listed { Dist::get(&format!("{name}.{ending}")) } else { None };
        file.map(|file| (encoding, file))
    });
    let (encoding, file) = match packed {
        Some((encoding, file)) => (Some(encoding), file),
        None => (None, plain),
    };
    let hash: String =
        file.metadata.sha256_hash()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    // Names of built files hold a hash of their content.
    let cache = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut response = Response::builder()
        .header(CACHE_CONTROL, cache)
        .header(ETAG, &tag)
        .header(VARY, "accept-encoding");
    if asked.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes()) {
        return response.status(StatusCode::NOT_MODIFIED).body(Body::empty()).ok();
    }
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let text = kind.type_() == "text" || kind.subtype() == "javascript";
    let charset = if text { "; charset=utf-8" } else { "" };
    response = response.header(CONTENT_TYPE, format!("{}{charset}", kind.essence_str()));
    if let Some(encoding) = encoding {
        response = response.header(CONTENT_ENCODING, encoding);
    }
    response.body(Body::from(file.data.into_owned())).ok()
}
