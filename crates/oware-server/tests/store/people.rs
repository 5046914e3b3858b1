//! What every back end does with people.

use oware_server::store::{Relation, ReportRow, SessionRow, Standing, Store, StoreError, Write};
use oware_server::wire::Pace;

use crate::rows::{game, make_games, make_players, rated_end, write};

pub(crate) async fn players_and_accounts(store: &dyn Store) {
    make_players(store, &["p1", "p2"]).await;
    assert!(matches!(store.create_player("p1", 1).await, Err(StoreError::Database(_))));
    let row = store.player("p1").await.expect("read").expect("there");
    assert_eq!((row.created_at, &row.name, &row.password), (500, &None, &None));
    assert_eq!(row.standing, Standing::default());
    assert_eq!(store.player("p9").await.expect("read"), None);
    store.create_account("p1", "Ann", "hash-1", 600).await.expect("made");
    let taken = async |id, name| {
        matches!(store.create_account(id, name, "hash", 700).await, Err(StoreError::Taken(_)))
    };
    assert!(taken("p2", "aNN").await, "in use, but for case");
    assert!(taken("p1", "Other").await, "has one already");
    assert!(taken("p9", "Nobody").await, "does not exist");
    for name in ["Ann", "ann", "ANN"] {
        let row = store.player_by_name(name).await.expect("read").expect("there");
        assert_eq!((row.id.as_str(), row.name.as_deref()), ("p1", Some("Ann")));
    }
    assert_eq!(store.player_by_name("Other").await.expect("read"), None);
    store.set_password("p1", "hash-2").await.expect("set");
    store.set_standing("p1", Standing { admin: true, banned: true }).await.expect("set");
    store.set_language("p1", "ja").await.expect("set");
    let row = store.player("p1").await.expect("read").expect("there");
    assert_eq!(row.password.as_deref(), Some("hash-2"));
    assert_eq!(row.standing, Standing { admin: true, banned: true });
    assert_eq!(row.language.as_deref(), Some("ja"));
    let ids = ["p2", "none", "p1"].map(str::to_owned);
    let mut found: Vec<_> =
        store.players(&ids).await.expect("read").into_iter().map(|row| row.id).collect();
    found.sort();
    assert_eq!(found, ["p1", "p2"]);
    assert_eq!(store.players(&[]).await.expect("read"), []);
    let many: Vec<String> = (0..1_200).map(|n| format!("x{n}")).collect();
    assert_eq!(store.players(&many).await.expect("read"), []);
}

pub(crate) async fn sessions(store: &dyn Store) {
    make_players(store, &["p1", "p2"]).await;
    let session = |id: &str, player: &str, at| SessionRow {
        id: id.to_owned(),
        secret_hash: format!("hash of {id}"),
        player: player.to_owned(),
        agent: "A browser".to_owned(),
        created_at: at,
        seen_at: at,
    };
    let rows = [session("s1", "p1", 1), session("s2", "p1", 2), session("s3", "p2", 3)];
    for row in &rows {
        store.create_session(row).await.expect("made");
    }
    let twice = SessionRow { id: "s9".to_owned(), ..rows[0].clone() };
    assert!(store.create_session(&twice).await.is_err(), "the secret is in use");
    assert!(store.create_session(&session("s8", "p9", 1)).await.is_err(), "nobody's");
    assert_eq!(store.session("hash of s2").await.expect("read").as_ref(), Some(&rows[1]));
    assert_eq!(store.session("hash of s9").await.expect("read"), None);
    let ids = async |player| {
        let rows = store.sessions(player).await.expect("read");
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(ids("p1").await, ["s2", "s1"]);
    store.touch_session("s1", 77).await.expect("noted");
    store.touch_session("s1", 66).await.expect("noted");
    let seen = store.session("hash of s1").await.expect("read").expect("there").seen_at;
    assert_eq!(seen, 77, "it does not run backwards");
    assert!(!store.end_session("p2", "s1").await.expect("done"), "not theirs");
    assert!(store.end_session("p1", "s1").await.expect("done"));
    assert!(!store.end_session("p1", "s1").await.expect("done"), "it is over");
    assert_eq!(ids("p1").await, ["s2"]);
}

pub(crate) async fn relations(store: &dyn Store) {
    make_players(store, &["p1", "p2", "p3"]).await;
    let (blocks, mutes) = (Relation::Blocks, Relation::Mutes);
    for (to, relation) in [("p2", blocks), ("p2", mutes), ("p3", mutes), ("p2", blocks)] {
        store.set_relation("p1", to, relation, true).await.expect("set");
    }
    assert!(store.relation("p1", "p2", blocks).await.expect("read"));
    assert!(!store.relation("p2", "p1", blocks).await.expect("read"), "one way");
    assert!(!store.relation("p1", "p3", blocks).await.expect("read"));
    let all = [("p2", blocks), ("p2", mutes), ("p3", mutes)].map(|(to, r)| (to.to_owned(), r));
    assert_eq!(store.relations("p1").await.expect("read"), all);
    store.set_relation("p1", "p2", blocks, false).await.expect("cleared");
    store.set_relation("p1", "p2", blocks, false).await.expect("cleared");
    assert_eq!(store.relations("p1").await.expect("read"), all[1..]);
    assert_eq!(store.relations("p2").await.expect("read"), []);
}

pub(crate) async fn reports(store: &dyn Store) {
    make_players(store, &["p1", "p2"]).await;
    make_games(store, &[game("g", "p1", "p2")]).await;
    let report = |id: &str, game: Option<&str>, at| ReportRow {
        id: id.to_owned(),
        by: "p1".to_owned(),
        about: "p2".to_owned(),
        game: game.map(str::to_owned),
        reason: "rude".to_owned(),
        at,
    };
    let rows = [report("r1", Some("g"), 2), report("r2", None, 1)];
    for row in &rows {
        store.report(row).await.expect("kept");
    }
    assert_eq!(store.reports().await.expect("read"), [rows[1].clone(), rows[0].clone()]);
    assert!(store.close_report("r2").await.expect("done"));
    assert!(!store.close_report("r2").await.expect("done"), "closed already");
    assert!(!store.close_report("r9").await.expect("done"));
    assert_eq!(store.reports().await.expect("read"), rows[..1]);
    assert_eq!(store.reports_by("p1").await.expect("read").len(), 2);
    assert_eq!(store.reports_by("p2").await.expect("read"), []);
}

pub(crate) async fn values(store: &dyn Store) {
    assert_eq!(store.value("k").await.expect("read"), None);
    for text in ["one", "two", "お知らせ ' \" ; --"] {
        store.set_value("k", Some(text)).await.expect("set");
        assert_eq!(store.value("k").await.expect("read").as_deref(), Some(text));
    }
    store.set_value("k", None).await.expect("removed");
    store.set_value("k", None).await.expect("removed");
    assert_eq!(store.value("k").await.expect("read"), None);
}

pub(crate) async fn deletes_a_player(store: &dyn Store) {
    make_players(store, &["p1", "p2"]).await;
    store.create_account("p1", "Ann", "hash", 600).await.expect("made");
    store.create_account("p2", "Ben", "hash", 600).await.expect("made");
    let row = game("g", "p1", "p2");
    make_games(store, std::slice::from_ref(&row)).await;
    let end = rated_end(&row, Pace::Blitz, ["p1", "p2"], 1.0, 2_000);
    let Write::Append { row: ended, .. } = &end else { unreachable!("made so") };
    let ended = (**ended).clone();
    write(store, end).await.expect("accepted");
    store.set_relation("p1", "p2", Relation::Mutes, true).await.expect("set");
    store.set_relation("p2", "p1", Relation::Blocks, true).await.expect("set");
    let session = SessionRow {
        id: "s1".to_owned(),
        secret_hash: "hash of s1".to_owned(),
        player: "p1".to_owned(),
        agent: String::new(),
        created_at: 1,
        seen_at: 1,
    };
    store.create_session(&session).await.expect("made");
    store.delete_player("p1").await.expect("deleted");
    let gone = store.player("p1").await.expect("read").expect("games need it");
    assert_eq!((gone.name, gone.password, gone.language), (None, None, None));
    assert_eq!(store.game("g").await.expect("read"), Some(ended), "the game stays");
    assert_eq!(store.player_by_name("Ann").await.expect("read"), None);
    assert_eq!(store.session("hash of s1").await.expect("read"), None);
    assert_eq!(store.ratings("p1", 0).await.expect("read"), []);
    assert_eq!(store.relations("p1").await.expect("read"), []);
    assert_eq!(store.relations("p2").await.expect("read"), []);
    assert_eq!(store.ratings("p2", 0).await.expect("read").len(), 1, "the other keeps theirs");
}

pub(crate) async fn leaders_are_sure_and_present(store: &dyn Store) {
    let ids = ["p1", "p2", "p3", "p4"];
    make_players(store, &ids).await;
    for (id, name) in ids.iter().zip(["Ann", "Ben", "Cy"]) {
        store.create_account(id, name, "hash", 600).await.expect("made");
    }
    // Everybody plays everybody so often that all are sure; whoever comes first wins.
    let mut number = 0;
    for _ in 0..12 {
        for (south, north) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            number += 1;
            let row = game(&format!("g{number}"), ids[south], ids[north]);
            make_games(store, std::slice::from_ref(&row)).await;
            let score = if number % 3 == 0 { 0.5 } else { 1.0 };
            let pair = [ids[south], ids[north]];
            let end = rated_end(&row, Pace::Slow, pair, score, 1_000 * number);
            write(store, end).await.expect("accepted");
        }
    }
    let now = 100_000;
    let names = async |limit, now| {
        let leaders = store.leaders(Pace::Slow, limit, now).await.expect("read");
        assert!(leaders.iter().all(|(_, view)| !view.provisional && view.games >= 36));
        assert!(leaders.windows(2).all(|pair| pair[0].1.rating >= pair[1].1.rating));
        leaders.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(names(10, now).await, ["Ann", "Ben", "Cy"], "the fourth has no account");
    assert_eq!(names(2, now).await, ["Ann", "Ben"]);
    assert_eq!(names(0, now).await, [""; 0]);
    store.set_standing("p2", Standing { admin: false, banned: true }).await.expect("set");
    assert_eq!(names(10, now).await, ["Ann", "Cy"]);
    let years_later = now + 3 * 365 * 86_400_000;
    assert_eq!(names(10, years_later).await, [""; 0], "nobody is sure of them any longer");
    assert!(store.leaders(Pace::Blitz, 10, now).await.expect("read").is_empty());
}

pub(crate) async fn forgets_who_does_not_come_back(store: &dyn Store) {
    let ids = ["gone", "here", "plays", "owner", "reports", "reported", "young"];
    make_players(store, &ids[..6]).await;
    store.create_player("young", 5_000).await.expect("a player");
    store.create_account("owner", "Owner", "hash", 600).await.expect("made");
    make_games(store, &[game("g", "plays", "plays")]).await;
    let session = |id: &str, player: &str, seen_at| SessionRow {
        id: id.to_owned(),
        secret_hash: format!("hash of {id}"),
        player: player.to_owned(),
        agent: String::new(),
        created_at: 1,
        seen_at,
    };
    for (id, player, seen) in [
        ("s1", "gone", 900),
        ("s2", "here", 3_000),
        ("s3", "plays", 900),
        ("s4", "owner", 900),
        ("s5", "owner", 100),
        ("s6", "young", 5_000),
    ] {
        store.create_session(&session(id, player, seen)).await.expect("made");
    }
    let report = ReportRow {
        id: "r".to_owned(),
        by: "reports".to_owned(),
        about: "reported".to_owned(),
        game: None,
        reason: "rude".to_owned(),
        at: 1,
    };
    store.report(&report).await.expect("kept");
    assert_eq!(store.forget(1_000, 500).await.expect("done"), 1);
    let left = store.players(&ids.map(str::to_owned)).await.expect("read");
    let mut left: Vec<_> = left.into_iter().map(|row| row.id).collect();
    left.sort();
    assert_eq!(left, ["here", "owner", "plays", "reported", "reports", "young"]);
    let mut sessions = Vec::new();
    for id in ids {
        let rows = store.sessions(id).await.expect("read");
        sessions.extend(rows.into_iter().map(|row| row.id));
    }
    assert_eq!(sessions, ["s2", "s4", "s6"]);
    for id in 0..1_200 {
        store.create_player(&format!("bot{id}"), 700).await.expect("a player");
    }
    assert_eq!(store.forget(1_000, 500).await.expect("done"), 1_200, "in several parts");
    assert_eq!(store.forget(1_000, 500).await.expect("done"), 0);
}
