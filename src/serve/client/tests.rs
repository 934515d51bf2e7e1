use super::super::game::{Game, NewGame, PgnDate, Side, StartPosition};
use super::super::work::WorkRequest;
use super::search::MAX_RESTARTS;
use super::state::{Job, RunningSearch};
use super::*;
use serde_json::json;

const PATIENCE: Duration = Duration::from_secs(60);

/// A client with a game in which the engine is to move. No search has started.
fn client(budget: &Arc<Budget>) -> Arc<Client> {
    let client = Client::new("name".to_owned(), Arc::clone(budget));
    let start = StartPosition::Standard;
    let asked =
        NewGame { side: Side::Black, elo: Some(450), clock: None, start, date: PgnDate::unknown() };
    client.locked().game = Some(Game::new(&asked).unwrap());
    client
}

/// Simulates a panic of the engine during a job.
async fn fail(client: &Client, job: Job, is_cancelled: bool) {
    let threads = client.budget.acquire_threads(1).await.unwrap();
    let running = RunningSearch {
        job,
        begun: Instant::now(),
        pause: Duration::ZERO,
        is_cancelled,
        resumes: false,
        _threads: threads,
    };
    client.locked().running = Some(running);
    client.on_event(TaskEvent::Panicked("planted".to_owned()));
}

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(test);
}

#[test]
fn the_engine_moves_after_a_failure_of_its_move_search_or_of_a_cancelled_search() {
    for (job, is_cancelled, pending) in
        [(Job::Reply, false, None), (Job::Hint, true, Some(Job::Reply))]
    {
        run(async {
            let budget = Arc::new(Budget::new(1, 1, None));
            let client = client(&budget);
            let mut games = client.game.subscribe();
            client.locked().pending = pending;
            fail(&client, job, is_cancelled).await;
            let has_moved = |game: &Option<Arc<GameView>>| {
                game.as_ref().is_some_and(|game| game.plies.len() == 1)
            };
            let moved = tokio::time::timeout(PATIENCE, games.wait_for(has_moved)).await;
            let game = moved.expect("a move").unwrap().clone().unwrap();
            assert!(game.notice.as_ref().unwrap().contains("planted"), "{:?}", game.notice);
        });
    }
}

#[test]
fn an_engine_that_keeps_failing_is_given_up_until_the_next_request() {
    run(async {
        let budget = Arc::new(Budget::new(1, 1, None));
        let client = client(&budget);
        for _ in 0..MAX_RESTARTS {
            fail(&client, Job::Reply, false).await;
            assert_eq!(client.locked().pending, Some(Job::Reply));
        }
        fail(&client, Job::Reply, false).await;
        assert_eq!(client.locked().pending, None);
        let game = client.game.borrow().clone().unwrap();
        assert!(!game.thinking && game.notice.as_ref().unwrap().contains("start a new game"));
        client.request_search(&mut client.state(), Job::Reply);
        fail(&client, Job::Reply, false).await;
        assert_eq!(client.locked().pending, Some(Job::Reply));
    });
}

#[test]
fn a_hidden_page_keeps_its_client_while_work_runs_and_a_closed_page_does_not() {
    run(async {
        let budget = Arc::new(Budget::new(1, 1, None));
        let client = client(&budget);
        // The only thread is taken: the work waits.
        let _thread = budget.acquire_threads(1).await.unwrap();
        let suite =
            json!({ "name": "a", "epd": "8/8/8/8/8/8/8/K1k5 w - - bm Ka2;", "milliseconds": 100 });
        let suite = serde_json::from_value(suite).unwrap();
        client.work.begin(WorkRequest::Suite(suite)).unwrap();
        let long = Duration::from_secs(5);
        let unused_for_long = || {
            let earlier = Instant::now().checked_sub(long).unwrap();
            let mut state = client.locked();
            (state.last_use, state.last_work) = (earlier, earlier);
            drop(state);
            client.tick();
            client.idle().unwrap() >= long
        };
        assert!(!unused_for_long());
        client.leave();
        assert!(unused_for_long());
        client.work.stop();
    });
}
