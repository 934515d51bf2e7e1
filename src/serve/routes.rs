//! The routes of the server and their handlers.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value as JsonValue, json};
use shakmaty::Position as _;

use super::client::{AnalysisRequest, Client};
use super::events;
use super::explorer::{ChangedGames, ExplorerView, SharedBook};
use super::extract::{JsonBody, MAX_BODY, MAX_FILE, Query, TextBody};
use super::game::{Ending, Game, GameRefusal, KeptGame, NewGame, SavedGames};
use super::guard::{self, Guard};
use super::inside::InsideView;
use super::page::{Asset, Assets};
use super::position_spec::PositionSpec;
use super::refusal::Refusal;
use super::registry::Registry;
use super::study::{GameTree, ParsedGames};
use super::view::{EndingView, PositionView, SavedGameView, move_number, ply_view};
use super::work::{JudgeRequest, ReviewRequest, SuiteRequest, WorkKind, WorkRequest};
use outrider_engine::position::san::parse_san;

/// State shared by all handlers.
pub(crate) struct Shared {
    pub registry: Registry,
    pub assets: Assets,
    pub book: Arc<SharedBook>,
}

/// Response of a handler, or the error response.
type HandlerResult = Result<Response, Refusal>;

/// Builds the router. Every request passes the guard.
pub(crate) fn router(shared: Arc<Shared>, guard: Guard) -> Router {
    let game = Router::new()
        .route("/", post(new_game))
        .route("/restore", post(restore_game))
        .route("/close", post(close_game))
        .route("/move", post(play_move))
        .route("/take-back", post(take_back))
        .route("/resign", post(resign))
        .route("/draw", post(offer_draw))
        .route("/hint", post(hint))
        .route("/pgn", get(pgn));
    let client = Router::new()
        .route("/", get(check_client))
        .route("/events", get(listen_to_events))
        .route("/leave", post(leave))
        .route("/analysis", post(analyse))
        .route("/analysis/stop", post(stop_analysis))
        .route("/review", post(review).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/suite", post(suite).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/judge", post(judge))
        .route("/work/stop", post(stop_work))
        .route("/review/view", get(review_view))
        .route("/review/page", get(review_page))
        .route("/review/pgn", get(review_pgn))
        .route("/suite/page", get(suite_page))
        .route("/explorer", post(explore))
        .route("/explorer/games", post(index_games).layer(DefaultBodyLimit::max(MAX_FILE)))
        .nest("/game", game);
    Router::new()
        .route("/", get(asset))
        .route("/inside", get(inside))
        .route("/style.css", get(asset))
        .route("/script.js", get(asset))
        .route("/events.js", get(asset))
        .route("/api/events", get(listen_to_shared_events))
        .route("/api/clients", post(new_client))
        .nest("/api/clients/{id}", client)
        .route("/api/position", post(position))
        .route("/api/play", post(play_from_position))
        .route("/api/inside", post(look_inside))
        .route("/api/games", post(read_games).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/api/pgn", post(write_game).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/api/saved", post(list_saved_games).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/api/saved/pgn", post(saved_games_pgn).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/api/saved/read", post(read_saved_games).layer(DefaultBodyLimit::max(MAX_FILE)))
        .fallback(not_found)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .with_state(shared)
}

async fn not_found() -> Refusal {
    no_such_page()
}

fn no_such_page() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "no such page")
}

/// Extracts the client whose id is in the path.
struct PathClient(Arc<Client>);

impl axum::extract::FromRequestParts<Arc<Shared>> for PathClient {
    type Rejection = Refusal;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        shared: &Arc<Shared>,
    ) -> Result<PathClient, Refusal> {
        let id = Path::<String>::from_request_parts(parts, shared).await;
        let client = id.ok().and_then(|Path(id)| shared.registry.find(&id));
        client.map(PathClient).ok_or_else(Refusal::unknown_client)
    }
}

fn no_content() -> HandlerResult {
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn text_response(kind: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Answers with a file of the page, compressed if the browser accepts that.
async fn asset(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> HandlerResult {
    let Asset { kind, text, gzip } = shared.assets.find(uri.path()).ok_or_else(no_such_page)?;
    let headers = headers.get_all(header::ACCEPT_ENCODING);
    let accepted = headers.iter().filter_map(|line| line.to_str().ok());
    let accepts_gzip = accepted.flat_map(|line| line.split(',')).any(|name| name.trim() == "gzip");
    let head = [(header::CONTENT_TYPE, *kind), (header::VARY, "accept-encoding")];
    Ok(match gzip {
        Some(gzip) if accepts_gzip => {
            (head, [(header::CONTENT_ENCODING, "gzip")], gzip.clone()).into_response()
        }
        _ => (head, text.clone()).into_response(),
    })
}

async fn new_client(State(shared): State<Arc<Shared>>) -> HandlerResult {
    let registry = &shared.registry;
    let full = || {
        let max = registry.max_clients();
        let reason = format!(
            "all {max} sessions are in use; close another page or restart the server with a larger --sessions"
        );
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    };
    let client = registry.admit().ok_or_else(full)?;
    Ok(Json(json!({ "id": client.id })).into_response())
}

/// Answers 204 if the client exists. A page asks this after a lost connection.
async fn check_client(_: PathClient) -> HandlerResult {
    no_content()
}

async fn leave(PathClient(client): PathClient) -> HandlerResult {
    client.leave();
    no_content()
}

async fn listen_to_events(PathClient(client): PathClient) -> Response {
    events::events(&client).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedEventsQuery {
    /// Ids, separated by commas.
    clients: String,
}

async fn listen_to_shared_events(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<SharedEventsQuery>,
) -> HandlerResult {
    let ids: BTreeSet<&str> = query.clients.split(',').collect();
    let is_id = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !ids.iter().all(is_id) {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "clients: ids separated by commas"));
    }
    let found = ids.into_iter().map(|id| (id.to_owned(), shared.registry.find(id)));
    Ok(events::shared_events(found.collect()).into_response())
}

async fn new_game(
    PathClient(client): PathClient,
    JsonBody(request): JsonBody<NewGame>,
) -> HandlerResult {
    client.new_game(&request)?;
    no_content()
}

async fn restore_game(
    PathClient(client): PathClient,
    JsonBody(kept): JsonBody<KeptGame>,
) -> HandlerResult {
    client.restore_game(&kept)?;
    no_content()
}

async fn close_game(PathClient(client): PathClient) -> HandlerResult {
    client.close_game();
    no_content()
}

/// A move, in short or long algebraic notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveText {
    #[serde(rename = "move")]
    text: String,
}

async fn play_move(
    PathClient(client): PathClient,
    JsonBody(MoveText { text }): JsonBody<MoveText>,
) -> HandlerResult {
    client.with_game(|game, now| game.play(&text, now))?;
    no_content()
}

async fn take_back(PathClient(client): PathClient) -> HandlerResult {
    client.with_game(Game::take_back)?;
    no_content()
}

async fn resign(PathClient(client): PathClient) -> HandlerResult {
    client.with_game(Game::resign)?;
    no_content()
}

async fn offer_draw(PathClient(client): PathClient) -> HandlerResult {
    client.offer_draw()?;
    no_content()
}

async fn hint(PathClient(client): PathClient) -> HandlerResult {
    client.hint()?;
    no_content()
}

async fn pgn(PathClient(client): PathClient) -> HandlerResult {
    Ok(text_response("application/x-chess-pgn", client.pgn()?))
}

async fn analyse(
    PathClient(client): PathClient,
    JsonBody(request): JsonBody<AnalysisRequest>,
) -> HandlerResult {
    client.analyse(request)?;
    no_content()
}

async fn stop_analysis(PathClient(client): PathClient) -> HandlerResult {
    client.stop_analysis(&mut client.state());
    no_content()
}

async fn position(JsonBody(spec): JsonBody<PositionSpec>) -> Result<Json<JsonValue>, Refusal> {
    let position = spec.play()?;
    let ending = Ending::by_rule(&position).map(EndingView::from);
    Ok(Json(json!({ "position": PositionView::new(position.chess()), "ending": ending })))
}

/// A move to play from a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayRequest {
    position: PositionSpec,
    #[serde(rename = "move")]
    text: String,
}

async fn play_from_position(
    JsonBody(PlayRequest { position, text }): JsonBody<PlayRequest>,
) -> HandlerResult {
    let mut chess = position.play()?.chess().clone();
    let mv = parse_san(&chess, &text).map_err(GameRefusal::from)?;
    let (number, mode) = (move_number(&chess), chess.castles().mode());
    Ok(Json(ply_view(&mut chess, mv, number, mode)).into_response())
}

#[derive(Deserialize)]
struct GameNumber {
    game: Option<usize>,
}

async fn read_games(Query(number): Query<GameNumber>, TextBody(text): TextBody) -> HandlerResult {
    let read = run_blocking(move || ParsedGames::read(&text, number.game));
    Ok(Json(read.await??).into_response())
}

async fn write_game(JsonBody(game): JsonBody<GameTree>) -> HandlerResult {
    Ok(text_response("application/x-chess-pgn", run_blocking(move || game.to_pgn()).await??))
}

async fn list_saved_games(JsonBody(saved): JsonBody<Vec<JsonValue>>) -> HandlerResult {
    let list = run_blocking(move || saved.into_iter().map(saved_game_entry).collect::<Vec<_>>());
    Ok(Json(list.await?).into_response())
}

/// Returns the entry of a game in the list, or the reason why it cannot be read.
fn saved_game_entry(saved: JsonValue) -> JsonValue {
    match KeptGame::read(saved) {
        Ok(game) => json!(SavedGameView::new(&game)),
        Err(reason) => json!({ "error": reason.to_string() }),
    }
}

async fn saved_games_pgn(JsonBody(saved): JsonBody<Vec<JsonValue>>) -> HandlerResult {
    let written = run_blocking(move || {
        let games: Vec<_> = saved.into_iter().map(KeptGame::read).collect();
        let pgn: String = games.iter().flatten().map(Game::to_saved_pgn).collect();
        let unreadable = games.iter().filter(|game| game.is_err()).count();
        json!({ "pgn": pgn, "unreadable": unreadable })
    });
    Ok(Json(written.await?).into_response())
}

async fn read_saved_games(TextBody(text): TextBody) -> HandlerResult {
    let read = run_blocking(move || SavedGames::read(&text));
    Ok(Json(read.await?).into_response())
}

/// Runs blocking work (`spawn_blocking`).
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let failed = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal server error");
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

async fn review(
    PathClient(client): PathClient,
    JsonBody(request): JsonBody<ReviewRequest>,
) -> HandlerResult {
    client.work.begin(WorkRequest::Review(Box::new(request)))?;
    no_content()
}

async fn suite(
    PathClient(client): PathClient,
    JsonBody(request): JsonBody<SuiteRequest>,
) -> HandlerResult {
    client.work.begin(WorkRequest::Suite(request))?;
    no_content()
}

async fn stop_work(PathClient(client): PathClient) -> HandlerResult {
    client.work.stop();
    no_content()
}

async fn review_view(PathClient(client): PathClient) -> HandlerResult {
    let view = client.work.files(WorkKind::Review).view;
    Ok(Json(&*view.ok_or_else(no_result_yet)?).into_response())
}

async fn review_page(PathClient(client): PathClient) -> HandlerResult {
    let page = client.work.files(WorkKind::Review).page;
    Ok(standalone_page(&page.ok_or_else(no_result_yet)?))
}

async fn review_pgn(PathClient(client): PathClient) -> HandlerResult {
    let pgn = client.work.files(WorkKind::Review).pgn;
    Ok(text_response("application/x-chess-pgn", pgn.ok_or_else(no_result_yet)?.to_string()))
}

async fn suite_page(PathClient(client): PathClient) -> HandlerResult {
    let page = client.work.files(WorkKind::Suite).page;
    Ok(standalone_page(&page.ok_or_else(no_result_yet)?))
}

fn no_result_yet() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is no finished result of this kind")
}

async fn judge(
    PathClient(client): PathClient,
    JsonBody(request): JsonBody<JudgeRequest>,
) -> HandlerResult {
    let judgement = client.work.judge(request).await?;
    Ok(Json(judgement).into_response())
}

#[derive(Deserialize)]
struct InsideQuery {
    fen: String,
}

async fn inside(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<InsideQuery>,
) -> HandlerResult {
    let _threads = shared.registry.budget().acquire_threads(1).await;
    let drawn = run_blocking(move || super::inside::page(&query.fen)).await?;
    Ok(standalone_page(&drawn?))
}

async fn look_inside(
    State(shared): State<Arc<Shared>>,
    JsonBody(position): JsonBody<PositionSpec>,
) -> HandlerResult {
    let _threads = shared.registry.budget().acquire_threads(1).await;
    let view = run_blocking(move || InsideView::new(&position)).await?;
    Ok(Json(view?).into_response())
}

/// Updates the index of the player's games.
async fn index_games(
    PathClient(client): PathClient,
    JsonBody(changes): JsonBody<ChangedGames>,
) -> HandlerResult {
    let indexed = run_blocking(move || client.own_games().update(changes)).await?;
    Ok(Json(indexed).into_response())
}

async fn explore(
    PathClient(client): PathClient,
    State(shared): State<Arc<Shared>>,
    JsonBody(position): JsonBody<PositionSpec>,
) -> HandlerResult {
    let book = Arc::clone(&shared.book);
    let explored = run_blocking(move || {
        let position = position.play()?;
        Ok::<_, Refusal>(ExplorerView::new(position.chess(), &client.own_games(), &book))
    });
    Ok(Json(explored.await??).into_response())
}

/// Response with a static page of the tools: one file with inline script and style. The content security
/// policy allows only the script with the nonce of this response.
fn standalone_page(page: &str) -> Response {
    let nonce = format!("{:032x}", rand::random::<u128>());
    let page = page.replacen(
        "<script type=\"module\">\n",
        &format!("<script type=\"module\" nonce=\"{nonce}\">\n"),
        1,
    );
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; \
         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    ([(header::CONTENT_SECURITY_POLICY, policy)], text_response("text/html; charset=utf-8", page))
        .into_response()
}
