//! The requests that are answered, each by one function.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value as JsonValue, json};
use shakmaty::Position as _;

use super::client::{AnalysisRequest, Client};
use super::events;
use super::game::{Ending, Game, GameRefusal, KeptGame, NewGame};
use super::guard::{self, Guard};
use super::page::Assets;
use super::place::Place;
use super::reading::{Asked, Body, MAX_BODY, MAX_FILE, Text};
use super::refusal::Refusal;
use super::registry::Registry;
use super::study::{ReadGames, WrittenGame};
use super::view::{EndingView, PositionView, move_number, ply_view};
use super::work::{JudgeRequest, ReviewRequest, SuiteRequest, WorkKind, WorkRequest};
use outrider_engine::position::san::parse_san;

/// What all requests share.
pub(crate) struct Shared {
    pub registry: Registry,
    pub assets: Assets,
}

type Answer = Result<Response, Refusal>;

/// All that can be asked for.
pub(crate) fn router(shared: Arc<Shared>, guard: Guard) -> Router {
    let game = Router::new()
        .route("/", post(new_game))
        .route("/restore", post(restore_game))
        .route("/move", post(play))
        .route("/take-back", post(take_back))
        .route("/resign", post(resign))
        .route("/draw", post(offer_draw))
        .route("/hint", post(hint))
        .route("/pgn", get(pgn));
    let client = Router::new()
        .route("/", get(known))
        .route("/events", get(listen))
        .route("/leave", post(leave))
        .route("/analysis", post(analyse))
        .route("/analysis/stop", post(stop_analysis))
        .route("/review", post(review).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/suite", post(suite).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/judge", post(judge))
        .route("/work/stop", post(stop_work))
        .route("/review/page", get(review_page))
        .route("/review/pgn", get(review_pgn))
        .route("/suite/page", get(suite_page))
        .nest("/game", game);
    let router = Router::new();
    let router = router.route("/inside", get(inside));
    router
        .route("/", get(page))
        .route("/style.css", get(style))
        .route("/script.js", get(script))
        .route("/api/clients", post(admit))
        .nest("/api/clients/{id}", client)
        .route("/api/position", post(position))
        .route("/api/play", post(play_on))
        .route("/api/games", post(read_games).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/api/pgn", post(write_game).layer(DefaultBodyLimit::max(MAX_FILE)))
        .fallback(unknown)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .with_state(shared)
}

async fn unknown() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is nothing here")
}

/// The client that the address names.
struct Named(Arc<Client>);

impl axum::extract::FromRequestParts<Arc<Shared>> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        shared: &Arc<Shared>,
    ) -> Result<Named, Refusal> {
        let id = Path::<String>::from_request_parts(parts, shared).await;
        let client = id.ok().and_then(|Path(id)| shared.registry.find(&id));
        client.map(Named).ok_or_else(Refusal::unknown_client)
    }
}

fn done() -> Answer {
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn file(kind: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

async fn page(State(shared): State<Arc<Shared>>) -> Response {
    file("text/html; charset=utf-8", shared.assets.page.clone())
}

async fn style(State(shared): State<Arc<Shared>>) -> Response {
    file("text/css; charset=utf-8", shared.assets.style.clone())
}

async fn script(State(shared): State<Arc<Shared>>) -> Response {
    file("text/javascript; charset=utf-8", shared.assets.script.clone())
}

async fn admit(State(shared): State<Arc<Shared>>) -> Answer {
    let registry = &shared.registry;
    let full = || {
        let places = registry.max_clients();
        let reason = format!(
            "All {places} places are taken. Close another page, or start the server with more (--sessions)."
        );
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    };
    let client = registry.admit().ok_or_else(full)?;
    Ok(Json(json!({ "id": client.id })).into_response())
}

/// Whether the client is known here: a page asks when its connection was lost.
async fn known(_: Named) -> Answer {
    done()
}

async fn leave(Named(client): Named) -> Answer {
    client.leave();
    done()
}

async fn listen(Named(client): Named) -> Response {
    events::events(&client).into_response()
}

async fn new_game(Named(client): Named, Body(asked): Body<NewGame>) -> Answer {
    client.new_game(&asked)?;
    done()
}

async fn restore_game(Named(client): Named, Body(kept): Body<KeptGame>) -> Answer {
    client.restore_game(&kept)?;
    done()
}

/// A move, in short or long algebraic notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveText {
    #[serde(rename = "move")]
    text: String,
}

async fn play(Named(client): Named, Body(MoveText { text }): Body<MoveText>) -> Answer {
    client.in_game(|game, now| game.play(&text, now))?;
    done()
}

async fn take_back(Named(client): Named) -> Answer {
    client.in_game(Game::take_back)?;
    done()
}

async fn resign(Named(client): Named) -> Answer {
    client.in_game(Game::resign)?;
    done()
}

async fn offer_draw(Named(client): Named) -> Answer {
    client.offer_draw()?;
    done()
}

async fn hint(Named(client): Named) -> Answer {
    client.hint()?;
    done()
}

async fn pgn(Named(client): Named) -> Answer {
    Ok(file("application/x-chess-pgn", client.pgn()?))
}

async fn analyse(Named(client): Named, Body(request): Body<AnalysisRequest>) -> Answer {
    client.analyse(request)?;
    done()
}

async fn stop_analysis(Named(client): Named) -> Answer {
    client.stop_analysis(&mut client.state());
    done()
}

async fn position(Body(place): Body<Place>) -> Result<Json<JsonValue>, Refusal> {
    let position = place.position()?;
    let ending = Ending::by_rule(&position).map(EndingView::from);
    Ok(Json(json!({ "position": PositionView::new(position.chess()), "ending": ending })))
}

/// A move that is played on from a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayedOn {
    place: Place,
    #[serde(rename = "move")]
    text: String,
}

async fn play_on(Body(PlayedOn { place, text }): Body<PlayedOn>) -> Answer {
    let mut chess = place.position()?.chess().clone();
    let mv = parse_san(&chess, &text).map_err(GameRefusal::from)?;
    let (number, mode) = (move_number(&chess), chess.castles().mode());
    Ok(Json(ply_view(&mut chess, mv, number, mode)).into_response())
}

#[derive(Deserialize)]
struct GameNumber {
    game: Option<usize>,
}

async fn read_games(Asked(number): Asked<GameNumber>, Text(text): Text) -> Answer {
    let read = aside(move || ReadGames::read(&text, number.game));
    Ok(Json(read.await??).into_response())
}

async fn write_game(Body(game): Body<WrittenGame>) -> Answer {
    Ok(file("application/x-chess-pgn", aside(move || game.to_pgn()).await??))
}

/// Does something that takes a while beside what else is served.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    let failed = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed");
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

async fn review(Named(client): Named, Body(request): Body<ReviewRequest>) -> Answer {
    client.workshop.begin(WorkRequest::Review(Box::new(request)))?;
    done()
}

async fn suite(Named(client): Named, Body(request): Body<SuiteRequest>) -> Answer {
    client.workshop.begin(WorkRequest::Suite(request))?;
    done()
}

async fn stop_work(Named(client): Named) -> Answer {
    client.workshop.stop();
    done()
}

async fn review_page(Named(client): Named) -> Answer {
    let page = client.workshop.files(WorkKind::Review).page;
    Ok(framed(&page.ok_or_else(nothing_made)?))
}

async fn review_pgn(Named(client): Named) -> Answer {
    let pgn = client.workshop.files(WorkKind::Review).pgn;
    Ok(file("application/x-chess-pgn", pgn.ok_or_else(nothing_made)?.to_string()))
}

async fn suite_page(Named(client): Named) -> Answer {
    let page = client.workshop.files(WorkKind::Suite).page;
    Ok(framed(&page.ok_or_else(nothing_made)?))
}

fn nothing_made() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is no such file yet")
}

async fn judge(Named(client): Named, Body(request): Body<JudgeRequest>) -> Answer {
    let judgement = client.workshop.judge(request).await?;
    Ok(Json(judgement).into_response())
}

#[derive(Deserialize)]
struct InsideQuery {
    fen: String,
    depth: usize,
}

async fn inside(State(shared): State<Arc<Shared>>, Asked(query): Asked<InsideQuery>) -> Answer {
    let _threads = shared.registry.budget().threads_for(1).await;
    let drawn = aside(move || super::inside::page(&query.fen, query.depth)).await?;
    let refusal = |reason: String| Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, reason);
    Ok(framed(&drawn.map_err(refusal)?))
}

/// A page that the tools made: one file, whose program and style stand in it. Its program is named by
/// a number that is drawn for this answer, and the policy allows that one only.
fn framed(page: &str) -> Response {
    let nonce = format!("{:032x}", rand::random::<u128>());
    let page = page.replacen("<script>\n", &format!("<script nonce=\"{nonce}\">\n"), 1);
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; \
         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    ([(header::CONTENT_SECURITY_POLICY, policy)], file("text/html; charset=utf-8", page))
        .into_response()
}
