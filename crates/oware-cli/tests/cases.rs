//! All of testdata/cases through the binary.

mod support;

use std::fs;

use oware_testkit::cases::{perft_cases, testdata_dir};
use serde_json::{Value, json};
use support::{code, json_lines, run, run_with, stderr, stdout};

/// The file's lines as text.
fn file(name: &str) -> String {
    fs::read_to_string(testdata_dir().join("cases").join(name)).unwrap()
}

/// What `oware moves` answers, without the fields it adds to those of the cases.
fn without_additions(mut answer: Value) -> Value {
    for outcome in answer["moves"].as_object_mut().unwrap().values_mut() {
        let outcome = outcome.as_object_mut().unwrap();
        for added in ["last", "laps", "captured_houses"] {
            assert!(outcome.remove(added).is_some(), "{added}");
        }
    }
    answer
}

fn compare_rules(input: &str, turned: bool) {
    let cases = json_lines(&file("rules.jsonl"));
    let output = run_with(&["moves"], input.as_bytes());
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let answers = json_lines(&stdout(&output));
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.into_iter().zip(answers) {
        let answer = without_additions(answer);
        let id: oware_rules::Rules = case["rules"].as_str().unwrap().parse().unwrap();
        assert_eq!(answer["rules"], json!(id.id()));
        for field in ["houses", "scores", "over", "final", "legal", "moves"] {
            assert_eq!(
                answer[field], case[field],
                "{field} of {} under {}, turned: {turned}",
                case["id"], case["rules"]
            );
        }
        assert_eq!(answer.as_object().unwrap().len(), 7);
    }
}

/// The lines of the file are themselves good input: fields nobody knows are ignored.
#[test]
fn every_line_of_the_rules_cases() {
    compare_rules(&file("rules.jsonl"), false);
}

/// The same as position strings, seen by South and by North.
#[test]
fn every_line_as_a_position_string() {
    for turned in [false, true] {
        let lines = json_lines(&file("rules.jsonl")).into_iter().map(|case| {
            let numbers = |field: &str| -> Vec<String> {
                case[field].as_array().unwrap().iter().map(Value::to_string).collect()
            };
            let (mut houses, mut scores) = (numbers("houses"), numbers("scores"));
            if turned {
                houses.rotate_left(6);
                scores.reverse();
            }
            let side = if turned { "N" } else { "S" };
            let position = format!("{}-{}-{side}", houses.join("-"), scores.join("-"));
            json!({"position": position, "rules": case["rules"]}).to_string() + "\n"
        });
        compare_rules(&lines.collect::<String>(), turned);
    }
}

#[test]
fn every_game() {
    let cases = json_lines(&file("games.jsonl"));
    let path = testdata_dir().join("cases/games.jsonl");
    let output = run(&["replay", "--json", "--verify", path.to_str().unwrap()]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let answers = json_lines(&stdout(&output));
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.into_iter().zip(answers) {
        for field in ["scores", "reason", "plies"] {
            assert_eq!(answer[field], case[field], "{field} of {case}");
        }
        assert_eq!(answer.as_object().unwrap().len(), 3);
    }
}

/// Every game again with one thing changed, and cut short by a ply.
#[test]
fn wrong_games_are_found() {
    let mut input = String::new();
    let cases = json_lines(&file("games.jsonl"));
    for case in &cases {
        let moves = case["moves"].as_str().unwrap();
        let mut wrong = case.clone();
        wrong["scores"] = json!([case["scores"][1], 7]);
        let mut late = case.clone();
        late["moves"] = json!(format!("{moves}A"));
        let mut short = case.clone();
        short["moves"] = json!(&moves[..moves.len() - 1]);
        input += &format!("{wrong}\n{late}\n{short}\n");
    }
    let output = run_with(&["replay", "--json", "--verify"], input.as_bytes());
    assert_eq!(code(&output), 1);
    let answers = json_lines(&stdout(&output));
    assert_eq!(answers.len(), 3 * cases.len());
    for (case, answers) in cases.iter().zip(answers.chunks(3)) {
        let plies = case["plies"].as_u64().unwrap();
        assert_eq!((&answers[0]["field"], &answers[0]["ply"]), (&json!("scores"), &json!(plies)));
        assert_eq!(answers[1]["ply"], json!(plies + 1));
        assert!(answers[1]["error"].as_str().unwrap().starts_with("the game is over"));
        assert_eq!(answers[2]["field"], json!("reason"), "{case}");
    }
    // Without --verify only the late move is wrong.
    let output = run_with(&["replay", "--json"], input.as_bytes());
    let answers = json_lines(&stdout(&output));
    for (place, answer) in answers.iter().enumerate() {
        assert_eq!(answer.get("error").is_some(), place % 3 == 1, "{answer}");
    }
}

/// Every entry of perft.json up to `most` sequences, compared with what `perft` prints.
fn compare_perft(most: u64, detail: bool) {
    let mut compared = 0;
    for case in perft_cases() {
        let houses = case.houses.map(|n| n.to_string()).join("-");
        let position = format!("{houses}-{}-{}-S", case.scores[0], case.scores[1]);
        for (rules, counts) in &case.counts {
            let depth = counts.iter().rposition(|&count| count <= most).unwrap();
            let depth_text = depth.to_string();
            let mut args = vec!["perft", "--json", "--threads", "2", "--rules", rules];
            args.extend(["--position", &position, "--depth", &depth_text, "--divide"]);
            if detail {
                args.push("--detail");
            }
            let output = run(&args);
            assert_eq!((code(&output), stderr(&output)), (0, String::new()));
            let rows = json_lines(&stdout(&output));
            assert_eq!(rows.len(), depth);
            for (row, depth) in rows.iter().zip(1..) {
                let name = format!("{} under {rules}, depth {depth}", case.name);
                assert_eq!(row["nodes"], json!(counts[depth]), "{name}");
                let divide = row["divide"].as_object().unwrap();
                let sum: u64 = divide.values().map(|n| n.as_u64().unwrap()).sum();
                assert_eq!(sum, counts[depth], "{name}");
                let given = [("ended", &case.ended), ("slams", &case.slams)];
                for (field, lists) in given.into_iter().filter(|_| detail) {
                    if let Some(count) = lists.get(rules).and_then(|list| list.get(depth)) {
                        assert_eq!(row[field], json!(count), "{field}, {name}");
                        compared += 1;
                    }
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 900, "{compared}");
}

#[test]
fn perft_counts() {
    compare_perft(50_000_000, false);
}

#[test]
fn perft_details() {
    compare_perft(if cfg!(debug_assertions) { 300_000 } else { 3_000_000 }, true);
}
