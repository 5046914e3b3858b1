//! Analysis, reports, tables and conversions, without the edge.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oware_app::play_moves;
use oware_notation::{ogn, read_position};
use oware_retro::{BuildJob, Target, build};
use oware_rules::{Game, PRESETS, Position, Rules};
use oware_server::study::{self, Looker, MAX_NODES, MAX_TEXT, MAX_WAITING, Shelf};
use oware_server::wire::{
    AnalysisEvent, ClaimView, ConvertAnswer, Effort, KnownBy, ReportEvent, Tree, TreeNode,
};
use oware_tables::TileCache;
use oware_testkit::TestRng;

const SEEDS: usize = 6;

fn shelf(root: &Path) -> Arc<Shelf> {
    let job = BuildJob::quiet(root, Rules::ABAPA.table_rules(), &Target::ALL, SEEDS);
    build(&job).unwrap();
    Arc::new(Shelf::new(root.to_owned(), SEEDS as u8, TileCache::DEFAULT))
}

fn nothing() -> Arc<Shelf> {
    Arc::new(Shelf::new("no/such/folder".into(), 0, 0))
}

fn game(start: &str, moves: &str) -> Game {
    let start = read_position(start).unwrap().resolve(None, Rules::ABAPA).unwrap();
    play_moves(start, moves).unwrap()
}

fn opening(moves: &str) -> Game {
    play_moves(Position::start(Rules::ABAPA), moves).unwrap()
}

const ENDGAME: &str = "0-0-1-0-0-3-1-0-0-0-0-0-23-20-S";

#[tokio::test]
async fn an_analysis_tells_each_depth_and_ends() {
    let looker = Looker::new(1);
    let time = Duration::from_millis(300);
    let mut told = study::analyse(looker.queue().unwrap(), nothing(), opening("FfBe"), 3, time);
    let mut depths = Vec::new();
    let mut last = None;
    while let Some(event) = told.recv().await {
        match event {
            AnalysisEvent::Depth { depth, moves, nodes, .. } => {
                assert!(!moves.is_empty() && moves.len() <= 3 && nodes > 0);
                assert!(moves.windows(2).all(|pair| pair[0].value >= pair[1].value));
                assert!(moves[0].line.starts_with(&moves[0].house));
                depths.push(depth);
            }
            AnalysisEvent::Done { moves, .. } => last = Some(moves),
            other => panic!("{other:?}"),
        }
    }
    assert!(depths.len() > 3 && depths.is_sorted(), "{depths:?}");
    let last = last.expect("the last line says that it is done");
    assert_eq!(last.len(), 3);
    assert!(last.iter().all(|value| value.known == KnownBy::Search));
}

#[tokio::test]
async fn where_tables_reach_they_speak_first_and_exactly() {
    let root = tempfile::tempdir().unwrap();
    let looker = Looker::new(1);
    let position = game(ENDGAME, "");
    let time = Duration::from_secs(20);
    let begun = Instant::now();
    let mut told = study::analyse(looker.queue().unwrap(), shelf(root.path()), position, 6, time);
    let Some(AnalysisEvent::Tables(known)) = told.recv().await else { panic!("tables first") };
    assert_eq!((known.seeds, known.layers), (5, Some(SEEDS as u8)));
    let even = known.values.even.unwrap();
    assert!(known.values.low.unwrap() <= even && even <= known.values.high.unwrap());
    let best = known.moves.iter().filter_map(|view| view.values.even).max();
    assert_eq!(best, Some(even));
    let Some(AnalysisEvent::Done { moves, nodes, .. }) = told.recv().await else {
        panic!("nothing is searched")
    };
    assert_eq!((moves.len(), nodes), (2, 0));
    assert!(moves.iter().all(|value| matches!(value.known, KnownBy::Exact | KnownBy::IfEven)));
    assert!(begun.elapsed() < time, "tables need no search");
}

#[tokio::test]
async fn a_search_ends_when_nobody_listens_and_the_queue_has_an_end() {
    let looker = Looker::new(1);
    let long = Duration::from_secs(600);
    let first = study::analyse(looker.queue().unwrap(), nothing(), opening(""), 1, long);
    // It takes its place as soon as the runtime lets it.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let tickets: Vec<_> = (0..MAX_WAITING).map(|_| looker.queue().unwrap()).collect();
    assert!(looker.queue().is_none(), "the queue is full");
    drop(tickets);
    let mut second = study::analyse(
        looker.queue().unwrap(),
        nothing(),
        opening("F"),
        1,
        Duration::from_millis(100),
    );
    drop(first);
    let answer = tokio::time::timeout(Duration::from_secs(60), second.recv()).await;
    assert!(answer.expect("the place is free again").is_some());
}

#[tokio::test]
async fn a_report_has_a_point_for_each_ply() {
    let looker = Looker::new(1);
    let played = opening("FfBeBcAeFb");
    let plies = played.plies().len();
    let mut told = study::report(looker.queue().unwrap(), nothing(), played, Effort::Quick);
    let mut progress = Vec::new();
    let report = loop {
        match told.recv().await.expect("a report") {
            ReportEvent::Progress { done, of } => progress.push((done, of)),
            ReportEvent::Done(report) => break report,
            ReportEvent::Failed { fault } => panic!("{fault:?}"),
        }
    };
    assert_eq!(progress.len(), plies);
    assert_eq!(report.plies.len(), plies);
    assert!(report.start.is_some());
    for (number, ply) in report.plies.iter().enumerate() {
        assert_eq!(ply.ply as usize, number + 1);
        assert!(ply.lost >= 0.0 && ply.best.value >= ply.played.value);
        assert_eq!(ply.point.chances.iter().sum::<u16>(), 1000);
    }
    let moves: u32 = report.players.iter().map(|player| player.moves).sum();
    assert_eq!(moves as usize, plies);
}

#[test]
fn a_probe_says_what_is_proven_and_nothing_without_tables() {
    let root = tempfile::tempdir().unwrap();
    let shelf = shelf(root.path());
    // From the puzzles: C wins by two, F loses.
    let known = study::probe(&shelf, &game(ENDGAME, "")).unwrap();
    assert_eq!(known.claim, ClaimView::Exact { ahead: 2, even_loops: false });
    assert_eq!(known.lead + known.values.low.unwrap(), 2);
    let of = |house: &str| known.moves.iter().find(|view| view.house == house).unwrap().values;
    assert_eq!(known.lead + of("C").low.unwrap(), 2);
    assert!(known.lead + of("F").high.unwrap() < 0);
    assert!(known.line.starts_with('C'), "{}", known.line);
    let unknown = study::probe(&nothing(), &game(ENDGAME, "")).unwrap();
    assert_eq!((unknown.claim, unknown.layers), (ClaimView::Unknown, None));
    assert_eq!(unknown.moves.len(), 2);
    let start = study::probe(&shelf, &opening("")).unwrap();
    assert_eq!(start.claim, ClaimView::Unknown);
}

#[test]
fn tables_are_built_for_every_preset_and_used_at_once() {
    let root = tempfile::tempdir().unwrap();
    let shelf = Arc::new(Shelf::new(root.path().to_owned(), 4, TileCache::DEFAULT));
    assert!(shelf.knowledge(&Rules::ABAPA).is_none());
    shelf.begin_building();
    let begun = Instant::now();
    while shelf.view().building {
        assert!(begun.elapsed() < Duration::from_secs(300), "the build does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    for preset in PRESETS {
        assert!(shelf.knowledge(&preset.rules).is_some(), "{}", preset.name);
    }
    let view = shelf.view();
    let presets: usize = view.sets.iter().map(|set| set.presets.len()).sum();
    assert_eq!(presets, PRESETS.len());
    assert!(view.sets.iter().all(|set| set.layers.even == Some(4) && set.layers.low == Some(4)));
}

fn tree_of(answer: ConvertAnswer) -> (String, Tree, Option<String>) {
    match answer {
        ConvertAnswer::Tree { form, tree, fault, .. } => (form, tree, fault),
        other => panic!("{other:?}"),
    }
}

fn texts_of(answer: ConvertAnswer) -> (String, String, Vec<(String, String)>) {
    match answer {
        ConvertAnswer::Texts { ogn, moves, positions } => (ogn, moves, positions),
        other => panic!("{other:?}"),
    }
}

const RECORD: &str = "\
[South \"Ama\"]
[North \"Kofi\"]

{ a start } 1. F f ( 1... e { too early } 2. E ( 2. D f ) ) 2. B! { good } e ( 2... d ) 3. B *";

#[test]
fn a_record_becomes_a_tree_and_a_record_again() {
    let (form, tree, fault) = tree_of(study::read(RECORD, None).unwrap());
    assert_eq!((form.as_str(), fault), ("record", None));
    assert_eq!(tree.comment, "a start");
    assert_eq!(tree.tags, [("South", "Ama"), ("North", "Kofi")].map(|(a, b)| (a.into(), b.into())));
    let shape: Vec<_> = tree.nodes.iter().map(|n| (n.parent, n.house.as_str())).collect();
    // Beside f stand e and what follows it; the main line comes first at every node.
    let expected = [
        (0, "F"),
        (1, "f"),
        (1, "e"),
        (3, "E"),
        (3, "D"),
        (5, "f"),
        (2, "B"),
        (7, "e"),
        (7, "d"),
        (8, "B"),
    ];
    assert_eq!(shape, expected);
    assert_eq!((tree.nodes[2].comment.as_str(), tree.nodes[6].mark.as_str()), ("too early", "!"));
    let (text, moves, positions) = texts_of(study::write(&tree, 6).unwrap());
    assert_eq!(moves, "FeDf");
    assert_eq!(positions.len(), 4);
    let again = tree_of(study::read(&text, None).unwrap()).1;
    assert_eq!(again, tree, "{text}");
    let record = ogn::parse(&text).unwrap();
    ogn::verify_variations(&record).unwrap();
}

#[test]
fn positions_and_moves_are_read_in_every_form() {
    for text in [
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4",
        "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1",
        "4 4 4 4 4 4 4 4 4 4 4 4",
    ] {
        let (form, tree, _) = tree_of(study::read(text, None).unwrap());
        assert_eq!(form, "position", "{text}");
        assert_eq!(tree.start.as_deref(), Some("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"), "{text}");
    }
    for text in ["FfBe", "F f B e", "1. F f 2. B e"] {
        let (form, tree, _) = tree_of(study::read(text, None).unwrap());
        assert_eq!((form.as_str(), tree.nodes.len()), ("moves", 4), "{text}");
    }
}

#[test]
fn bad_texts_and_trees_name_the_field() {
    let long = "F".repeat(MAX_TEXT + 1);
    for text in ["", "  ", "hello", "4-4-4", "FF", "[South \"x\"]\n\n1. F f ( 1... z ) *", &long] {
        let error = study::read(text, None).unwrap_err();
        assert_eq!(error.fault.field.as_deref(), Some("text"), "{text:.40}: {error}");
    }
    let error = study::read("FfBe", Some("chess")).unwrap_err();
    assert_eq!(error.fault.field.as_deref(), Some("rules"));
    let node = |parent, house: &str, mark: &str| TreeNode {
        parent,
        house: house.into(),
        comment: String::new(),
        mark: mark.into(),
    };
    let tree = |nodes| Tree { nodes, ..Tree::default() };
    for nodes in [
        vec![node(1, "F", "")],
        vec![node(0, "f", "")],
        vec![node(0, "Z", "")],
        vec![node(0, "F", "?!?")],
        vec![node(0, "F", ""); MAX_NODES + 1],
        vec![node(4_000_000_000, "F", "")],
    ] {
        let error = study::write(&tree(nodes), 0).unwrap_err();
        assert_eq!(error.fault.field.as_deref(), Some("nodes"), "{error}");
    }
    let error = study::write(&tree(vec![node(0, "F", "")]), 2).unwrap_err();
    assert_eq!(error.fault.field.as_deref(), Some("at"));
    let tags = vec![("No name".to_owned(), "x".to_owned())];
    let error = study::write(&Tree { tags, ..Tree::default() }, 0).unwrap_err();
    assert_eq!(error.fault.field.as_deref(), Some("tags"));
}

#[test]
fn random_trees_survive_the_way_there_and_back() {
    let mut rng = TestRng::from_env("random_trees_survive_the_way_there_and_back");
    for _ in 0..60 {
        let mut games = vec![opening("")];
        let mut nodes: Vec<TreeNode> = Vec::new();
        for _ in 0..rng.between(1, 40) {
            let parent = match rng.below(3) {
                0 => rng.below(games.len()),
                _ => games.len() - 1,
            };
            let mut game = games[parent].clone();
            let taken: Vec<String> = nodes
                .iter()
                .filter(|node| node.parent as usize == parent)
                .map(|node| node.house.clone())
                .collect();
            let side = game.position().to_move();
            let open: Vec<_> = game
                .legal_moves()
                .iter()
                .map(|mv| oware_rules::House::of(side, mv))
                .filter(|house| !taken.contains(&house.to_string()))
                .collect();
            if open.is_empty() {
                continue;
            }
            let house = *rng.pick(&open);
            game.play_house(house).unwrap();
            let comment = ["", "a } brace", "{ and \\ more"][rng.below(3)].to_owned();
            let mark = ["", "", "!", "?!"][rng.below(4)].to_owned();
            nodes.push(TreeNode { parent: parent as u32, house: house.to_string(), comment, mark });
            games.push(game);
        }
        let tree = Tree { nodes, ..Tree::default() };
        let (text, _, _) = texts_of(study::write(&tree, 0).unwrap());
        let again = tree_of(study::read(&text, None).unwrap()).1;
        let (second, _, _) = texts_of(study::write(&again, 0).unwrap());
        assert_eq!(second, text);
        assert_eq!(again.nodes.len(), tree.nodes.len(), "{text}");
    }
}
