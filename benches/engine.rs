//! Benchmarks of the parts of the engine: making moves, keys, evaluation of one position and along a
//! search, move picking, table probes, and a whole search to a fixed depth. Run with `cargo bench`.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use outrider_engine::evaluation::{Accumulators, Network};
use outrider_engine::perft;
use outrider_engine::position::{Board, Keys, Position, notation, see_ge};
use outrider_engine::search::{
    Bound, Control, Engine, Histories, HistoryContext, Limits, MovePicker, TableEntry,
    TranspositionTable,
};
use outrider_engine::units::{Depth, Ply, Score};
use shakmaty::Move;

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn board() -> Board {
    Board::new(notation::parse_fen_any(MIDDLEGAME).expect("the position is playable"))
}

fn positions(criterion: &mut Criterion) {
    let board = board();
    let moves = board.legal_moves();
    criterion.bench_function("generate the legal moves", |bencher| {
        bencher.iter(|| black_box(&board).legal_moves());
    });
    criterion.bench_function("copy and make each of 48 moves", |bencher| {
        bencher.iter(|| {
            for &mv in &moves {
                black_box(board.after_move(mv));
            }
        });
    });
    criterion.bench_function("the key after each of 48 moves", |bencher| {
        bencher.iter(|| moves.iter().fold(0, |sum, &mv| sum ^ board.key_after(mv).0));
    });
    criterion.bench_function("keys from scratch", |bencher| {
        bencher.iter(|| Keys::from_scratch(black_box(board.chess())));
    });
    criterion.bench_function("static exchange of each of 48 moves", |bencher| {
        bencher.iter(|| moves.iter().filter(|&&mv| see_ge(board.chess(), mv, 0)).count());
    });
    criterion.bench_function("perft 3", |bencher| {
        bencher.iter(|| perft::perft(black_box(&board), 3));
    });
}

/// One call of a search to the evaluation, with the position that the search has reached.
enum Request {
    Push(Move, Board),
    PushNull,
    Pop,
    Value(Board),
}

/// Parses a line of `evaluations.txt`: a root position and the calls from there on.
fn recorded(line: &str) -> (Board, Vec<Request>) {
    let (fen, requests) = line.split_once(": ").expect("a position and requests");
    let root = Board::new(notation::parse_fen_any(fen).expect("the position is playable"));
    let mut path: Vec<Board> = Vec::new();
    let mut current = root.clone();
    let mut read = |word: &str| match word {
        "?" => Request::Value(current.clone()),
        "-" => {
            current = path.pop().expect("a move was made before");
            Request::Pop
        }
        "null" => {
            path.push(current.clone());
            current = current.after_null_move().expect("the side to move is not in check");
            Request::PushNull
        }
        word => {
            let mv = notation::parse_move(current.chess(), word).expect("the move is legal");
            path.push(current.clone());
            current.play(mv);
            Request::Push(mv, current.clone())
        }
    };
    let requests = requests.split(' ').map(&mut read).collect();
    (root, requests)
}

fn evaluation(criterion: &mut Criterion) {
    let board = board();
    let mut evaluation = Accumulators::new(Network::built_in());
    evaluation.refresh(&board);
    criterion.bench_function("evaluate", |bencher| {
        bencher.iter(|| evaluation.value(black_box(&board)));
    });
    let lines = include_str!("evaluations.txt").lines().filter(|line| !line.starts_with('#'));
    let searches: Vec<_> = lines.map(recorded).collect();
    let requests = || searches.iter().flat_map(|(_, requests)| requests);
    let nodes = requests().filter(|request| matches!(request, Request::Push(..))).count();
    let mut group = criterion.benchmark_group("evaluations of a search");
    group.throughput(Throughput::Elements(nodes as u64));
    group.bench_function(format!("{nodes} nodes of the bench"), |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            for (root, requests) in &searches {
                evaluation.refresh(root);
                for request in requests {
                    match request {
                        Request::Push(mv, after) => evaluation.push(*mv, after),
                        Request::PushNull => evaluation.push_null(),
                        Request::Pop => evaluation.pop(),
                        Request::Value(board) => sum += evaluation.value(board).centipawns(),
                    }
                }
            }
            sum
        });
    });
    group.finish();
}

fn ordering(criterion: &mut Criterion) {
    let board = board();
    let histories = Histories::new();
    let picker =
        || MovePicker::new(None, Default::default(), HistoryContext::default(), Default::default());
    criterion.bench_function("pick the first move", |bencher| {
        bencher.iter_batched_ref(picker, |p| p.next(&board, &histories), BatchSize::SmallInput);
    });
    criterion.bench_function("pick all 48 moves", |bencher| {
        bencher.iter_batched_ref(
            picker,
            |p| while black_box(p.next(&board, &histories)).is_some() {},
            BatchSize::SmallInput,
        );
    });
}

fn table(criterion: &mut Criterion) {
    let table = TranspositionTable::new(16).expect("16 MB can be allocated");
    let key = board().key();
    let entry = TableEntry {
        mv: None,
        score: Score::new(17),
        bound: Bound::Exact,
        depth: Depth::new(9),
        evaluation: None,
        tt_pv: false,
    };
    table.store(key, Ply::ROOT, entry);
    criterion.bench_function("probe the table", |bencher| {
        bencher.iter(|| table.probe(black_box(key), Ply::ROOT, 0));
    });
    criterion.bench_function("store in the table", |bencher| {
        bencher.iter(|| table.store(black_box(key), Ply::ROOT, entry));
    });
}

fn search(criterion: &mut Criterion) {
    let position = Position::new(board().chess().clone());
    let mut engine = Engine::new(1, 16).expect("16 MB can be allocated");
    criterion.bench_function("search to depth 9", |bencher| {
        bencher.iter(|| {
            engine.new_game();
            engine
                .go(&position, &Limits::depth(9), &Control::default(), &mut |_| {})
                .expect("a thread can be started")
        });
    });
}

criterion_group!(benches, positions, evaluation, ordering, table, search);
criterion_main!(benches);
