//! Texts become trees of moves, and trees become texts.

use oware_notation::{
    MoveStyle, PositionFormat, Record, StatedMove, ogn, read_moves, read_position, write_moves,
    write_position,
};
use oware_rules::{Game, House, Rules};

use crate::http::{ApiError, read_rules, read_start};
use crate::view;
use crate::wire::{ConvertAnswer, Tree, TreeNode};

/// Moves of a tree, at most.
pub const MAX_NODES: usize = 3_000;
/// Bytes of a text that is read, at most.
pub const MAX_TEXT: usize = 200_000;
/// Characters of a comment, at most.
const MAX_COMMENT: usize = 2_000;
/// Tags of a tree, at most, and characters of each.
const MAX_TAGS: usize = 40;
const MAX_TAG: usize = 200;

/// Tags that follow from the game itself.
const OWN_TAGS: [&str; 6] = ["Rules", "Variant", "FEN", "Winner", "Reason", "Result"];

fn fault(field: &str, why: &str) -> ApiError {
    ApiError::field(field, format!("{field}: {why}"))
}

/// Reads a position in any notation, moves, or a game record.
///
/// # Errors
/// An error that names the field, with the place in the text and what was expected there.
pub fn read(text: &str, rules: Option<&str>) -> Result<ConvertAnswer, ApiError> {
    if text.len() > MAX_TEXT {
        let why = format!("{} bytes, expected at most {MAX_TEXT}", text.len());
        return Err(fault("text", &why));
    }
    let given = read_rules(rules)?;
    let text = text.trim().trim_start_matches('\u{feff}');
    if text.is_empty() {
        return Err(fault("text", "expected a position, moves, or a game record; it is empty"));
    }
    if text.starts_with('[') || text.contains(['{', '(', '*']) {
        return read_record(text, rules.map(|_| given));
    }
    match read_position(text) {
        Ok(position) => {
            // Twelve numbers say nothing of stores: then what is missing is shared out evenly.
            let total: u32 = position.houses.iter().map(|&seeds| u32::from(seeds)).sum();
            let rest = 48_u8.saturating_sub(total.min(48) as u8);
            let scores = position.stores.is_none().then_some([rest - rest / 2, rest / 2]);
            let read = position.resolve(scores, given);
            let start = read.map_err(|error| fault("text", &error.to_string()))?;
            Ok(answer("position", &Game::from_position(start), Tree::default(), None))
        }
        Err(not_position) => match read_moves(text) {
            Ok(houses) => {
                let letters: String = houses.iter().map(|house| house.letter()).collect();
                let start = read_start(None, given)?;
                let game = oware_app::play_moves(start, &letters)
                    .map_err(|error| fault("text", &ply_fault(&error)))?;
                let nodes = line_nodes(houses);
                Ok(answer("moves", &game, Tree { nodes, ..Tree::default() }, None))
            }
            // What begins with a number was meant as a position.
            Err(_) if text.starts_with(|first: char| first.is_ascii_digit()) => {
                match ogn::parse(text) {
                    Ok(_) => read_record(text, rules.map(|_| given)),
                    Err(_) => Err(fault("text", &not_position.to_string())),
                }
            }
            Err(not_moves) => Err(fault("text", &not_moves.to_string())),
        },
    }
}

fn ply_fault(error: &oware_app::MovesFault) -> String {
    match error.ply {
        Some(ply) => format!("ply {ply}: {error}"),
        None => error.to_string(),
    }
}

fn line_nodes(houses: Vec<House>) -> Vec<TreeNode> {
    let node = |(parent, house): (usize, House)| TreeNode {
        parent: parent as u32,
        house: house.to_string(),
        comment: String::new(),
        mark: String::new(),
    };
    houses.into_iter().enumerate().map(node).collect()
}

fn answer(form: &str, game: &Game, tree: Tree, fault: Option<String>) -> ConvertAnswer {
    let start = *game.start();
    let tree = Tree { rules: Some(start.rules().id()), start: Some(start.to_string()), ..tree };
    let state = Box::new(view::position(&Game::from_position(start)));
    ConvertAnswer::Tree { form: form.to_owned(), tree, state, fault }
}

fn read_record(text: &str, rules: Option<Rules>) -> Result<ConvertAnswer, ApiError> {
    let record = match ogn::games(text).next() {
        Some(Ok(record)) => record,
        Some(Err(error)) => return Err(fault("text", &error.to_string())),
        None => return Err(fault("text", "expected a game record, found no tags and no moves")),
    };
    let bad = |error: ogn::ReplayError| fault("text", &error.to_string());
    let named = record.tag("Rules").is_some() || record.tag("Variant").is_some();
    let rules = match rules.filter(|_| !named) {
        Some(rules) => rules,
        None => ogn::rules_of(&record).map_err(bad)?,
    };
    let start = ogn::start_of(&record, rules).map_err(bad)?;
    let mut checked = record.clone();
    if let Ok(tag) = ogn::Tag::new("Rules", rules.id()) {
        checked.set_tag(tag);
    }
    ogn::verify_variations(&checked).map_err(bad)?;
    let mut nodes = Vec::new();
    push_line(&record.line, 0, &mut nodes)?;
    let tags = record.tags.iter().filter(|tag| !OWN_TAGS.contains(&tag.name()));
    let tree = Tree {
        tags: tags.map(|tag| (tag.name().to_owned(), tag.value().to_owned())).collect(),
        comment: record.line.comments.join("\n"),
        nodes,
        ..Tree::default()
    };
    let fault = ogn::replay(&checked).err().map(|error| error.to_string());
    Ok(answer("record", &Game::from_position(start), tree, fault))
}

/// Adds a line below a node, each variation beside the move that it replaces.
fn push_line(line: &ogn::Line, mut parent: u32, nodes: &mut Vec<TreeNode>) -> Result<(), ApiError> {
    for (index, ply) in line.plies.iter().enumerate() {
        if nodes.len() == MAX_NODES {
            return Err(fault("text", &format!("expected at most {MAX_NODES} moves")));
        }
        let mut comments: Vec<&str> = Vec::new();
        if index == 0 && parent > 0 {
            comments.extend(line.comments.iter().map(String::as_str));
        }
        comments.extend(ply.notes.iter().filter_map(|note| match note {
            ogn::Note::Comment(comment) => Some(comment.as_str()),
            ogn::Note::Variation(_) => None,
        }));
        let numeric = ply
            .nags
            .iter()
            .find_map(|&nag| ogn::Suffix::ALL.get(usize::from(nag).checked_sub(1)?).copied());
        let comment = comments.join("\n").chars().take(MAX_COMMENT).collect();
        let mark = ply.suffix.or(numeric).map_or("", ogn::Suffix::text).to_owned();
        nodes.push(TreeNode { parent, house: ply.house.to_string(), comment, mark });
        let this = nodes.len() as u32;
        for variation in ply.variations() {
            push_line(variation, parent, nodes)?;
        }
        parent = this;
    }
    Ok(())
}

/// Writes a tree as a record, and the position of one of its nodes in every notation.
///
/// # Errors
/// An error that names the field: a move that is not legal, a parent that comes later, ...
pub fn write(tree: &Tree, at: u32) -> Result<ConvertAnswer, ApiError> {
    let start = read_start(tree.start.as_deref(), read_rules(tree.rules.as_deref())?)?;
    check_sizes(tree, at)?;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.nodes.len() + 1];
    for (index, node) in tree.nodes.iter().enumerate() {
        if node.parent as usize > index {
            let why = format!("node {} has parent {}, which comes later", index + 1, node.parent);
            return Err(fault("nodes", &why));
        }
        children[node.parent as usize].push(index + 1);
    }
    let mut writer = Writer { tree, children, game: Game::from_position(start), at, found: None };
    let line = writer.line(writer.children[0].clone(), 0)?;
    // The main line alone says whether and how the game ended.
    let mut main = Game::from_position(start);
    for ply in &line.plies {
        main.play_quick(ply.house.as_move()).map_err(|error| fault("nodes", &error.to_string()))?;
    }
    let tags = tree.tags.iter().filter(|(name, _)| !OWN_TAGS.contains(&name.as_str()));
    let tags: Result<Vec<_>, _> =
        tags.map(|(name, value)| ogn::Tag::new(name, value.clone())).collect();
    let tags = tags.map_err(|error| fault("tags", &error.to_string()))?;
    let mut record = Record::from_game(&main, tags);
    record.line = line;
    record.line.comments =
        Some(tree.comment.clone()).filter(|c| !c.is_empty()).into_iter().collect();
    let shown = writer.found.take().unwrap_or_else(|| Game::from_position(start));
    let moves: Vec<StatedMove> = shown.houses_played().map(StatedMove::from).collect();
    let positions = PositionFormat::ALL
        .map(|format| (format.name().to_owned(), write_position(shown.position(), format)));
    Ok(ConvertAnswer::Texts {
        ogn: ogn::write(&record),
        moves: write_moves(&moves, MoveStyle::Joined),
        positions: positions.to_vec(),
    })
}

fn check_sizes(tree: &Tree, at: u32) -> Result<(), ApiError> {
    let long = |text: &str, most: usize| text.chars().count() > most;
    if tree.nodes.len() > MAX_NODES {
        return Err(fault("nodes", &format!("expected at most {MAX_NODES}")));
    }
    if at as usize > tree.nodes.len() {
        return Err(fault("at", &format!("there are {} nodes, found {at}", tree.nodes.len())));
    }
    let comments = tree.nodes.iter().map(|node| &node.comment).chain([&tree.comment]);
    if comments.into_iter().any(|comment| long(comment, MAX_COMMENT)) {
        return Err(fault("comment", &format!("expected at most {MAX_COMMENT} characters")));
    }
    let bad_tag = |(name, value): &(String, String)| long(name, MAX_TAG) || long(value, MAX_TAG);
    if tree.tags.len() > MAX_TAGS || tree.tags.iter().any(bad_tag) {
        let why = format!("expected at most {MAX_TAGS} tags of at most {MAX_TAG} characters");
        return Err(fault("tags", &why));
    }
    Ok(())
}

struct Writer<'a> {
    tree: &'a Tree,
    children: Vec<Vec<usize>>,
    game: Game,
    at: u32,
    found: Option<Game>,
}

impl Writer<'_> {
    /// The line that begins with the first of some children; the others are variations of it.
    fn line(&mut self, mut siblings: Vec<usize>, depth: usize) -> Result<ogn::Line, ApiError> {
        if depth > ogn::MAX_NESTING {
            let why = format!("variations are nested more than {} deep", ogn::MAX_NESTING);
            return Err(fault("nodes", &why));
        }
        let begun = self.game.plies().len();
        let mut line = ogn::Line::default();
        while let Some((&first, others)) = siblings.split_first() {
            let mut variations = Vec::new();
            for &other in others {
                let variation = self.line_from(other, depth + 1)?;
                variations.push(ogn::Note::Variation(variation));
            }
            let mut ply = self.play(first)?;
            ply.notes.extend(variations);
            line.plies.push(ply);
            siblings = self.children[first].clone();
        }
        while self.game.plies().len() > begun {
            self.game.undo();
        }
        Ok(line)
    }

    /// The line that begins with one node.
    fn line_from(&mut self, node: usize, depth: usize) -> Result<ogn::Line, ApiError> {
        self.line(vec![node], depth)
    }

    /// Plays a node's move and writes it down.
    fn play(&mut self, number: usize) -> Result<ogn::Ply, ApiError> {
        let node = &self.tree.nodes[number - 1];
        let bad = |why: String| fault("nodes", &format!("node {number}: {why}"));
        let house: House = node.house.parse().map_err(|error| bad(format!("{error}")))?;
        self.game.play_house(house).map_err(|error| bad(error.to_string()))?;
        if self.at as usize == number {
            self.found = Some(self.game.clone());
        }
        let Some(played) = self.game.plies().last() else {
            return Err(bad("was not played".into()));
        };
        let mut ply = ogn::Ply::from(StatedMove::from(played));
        ply.suffix = match node.mark.as_str() {
            "" => None,
            mark => {
                Some(ogn::Suffix::ALL.into_iter().find(|suffix| suffix.text() == mark).ok_or_else(
                    || bad("mark: expected one of ! ? !! ?? !? ?! or nothing".to_owned()),
                )?)
            }
        };
        if !node.comment.is_empty() {
            ply.notes.push(ogn::Note::Comment(node.comment.clone()));
        }
        Ok(ply)
    }
}
