//! Tests of the codec as a whole.

use oware_rules::{Board, Rules, SowingBoard, TableRules};
use oware_testkit::TestRng;

use super::*;
use crate::count::Counter;
use crate::layer::Layer;

/// A layer to code.
struct Case {
    geometry: Geometry,
    features: Features,
    symbols: Vec<u8>,
    side: Option<Vec<i8>>,
}

impl Case {
    fn new(seeds: usize, rules: TableRules, symbols: Vec<u8>, side: Option<Vec<i8>>) -> Case {
        let geometry = Geometry::new(seeds, TileSize::Small);
        Case { geometry, features: Features::new(seeds, rules), symbols, side }
    }

    fn train(&self) -> Model {
        let symbols = Shifted { bytes: &self.symbols, shift: 0 };
        let mut counter = Counter::default();
        counter.add(&self.symbols);
        let counts = counter.symbols(0);
        Model::train(&self.geometry, &self.features, &symbols, &counts, self.side.as_deref())
    }

    fn encode(&self, model: &Model, tile: &Tile) -> Vec<u8> {
        let mut bytes = Vec::new();
        let side = self.side.as_ref().map(|side| tile.cut(side));
        let symbols = tile.cut(&self.symbols);
        model.encode_tile(&self.features, tile, &symbols, side.as_deref(), &mut bytes);
        bytes
    }

    fn decode(
        &self,
        model: &Model,
        tile: &Tile,
        bytes: &[u8],
        upto: usize,
    ) -> Result<Vec<u8>, CodecError> {
        // What stands in the buffer before stays there.
        let mut out = vec![7];
        let side = self.side.as_ref().map(|side| tile.cut(side));
        let side = side.as_deref();
        model.decode_tile(&self.features, tile, bytes, side, &mut out, upto)?;
        assert_eq!(out.remove(0), 7);
        Ok(out)
    }

    /// Codes all tiles, decodes them with a model read from its bytes, and returns all bytes.
    fn check(&self) -> Vec<u8> {
        let model = self.train();
        let mut all = model.to_bytes();
        let read = Model::from_bytes(&all).unwrap();
        assert_eq!(read.to_bytes(), all);
        assert_eq!(read.wants_side(), self.side.is_some());
        for (number, tile) in self.geometry.tiles().enumerate() {
            let bytes = self.encode(&model, &tile);
            assert_eq!(self.encode(&read, &tile), bytes);
            let expected = tile.cut(&self.symbols);
            let decoded = self.decode(&read, &tile, &bytes, usize::MAX);
            assert_eq!(decoded.unwrap(), expected, "tile {number}");
            let upto = number * 37 % tile.len();
            let decoded = self.decode(&read, &tile, &bytes, upto).unwrap();
            assert_eq!(decoded, expected[..=upto], "tile {number} up to {upto}");
            all.extend(bytes);
        }
        all
    }
}

/// The layers up to `most`, solved by sweeps over all boards until nothing changes, with the
/// best captures.
fn solved(most: usize, rules: &Rules) -> Vec<(Vec<i8>, Vec<i8>)> {
    let mut layers: Vec<(Vec<i8>, Vec<i8>)> = Vec::new();
    for seeds in 0..=most {
        let layer = Layer::new(seeds);
        let boards: Vec<Board> =
            layer.boards().map(|houses| Board::from_houses(houses).unwrap()).collect();
        let index = |board: Board| {
            let total: u8 = board.houses().iter().sum();
            let layer = Layer::new(usize::from(total));
            (usize::from(total), layer.index(&board.houses()).unwrap() as usize)
        };
        let capture = |board: &Board| {
            let moves = board.legal(rules).into_iter().map(|mv| board.sow(mv, rules));
            let captures = moves.filter(|sown| sown.captured > 0).map(|sown| {
                let (total, place) = index(sown.board);
                sown.captured as i8 - layers[total].0[place]
            });
            captures.max().unwrap_or(NO_CAPTURE)
        };
        let captures: Vec<i8> = boards.iter().map(capture).collect();
        let mut values = vec![0i8; boards.len()];
        loop {
            let before = values.clone();
            for (place, board) in boards.iter().enumerate() {
                let moves = board.legal(rules).into_iter().map(|mv| board.sow(mv, rules));
                let others = moves.filter(|sown| sown.captured == 0);
                let best = others.map(|sown| -values[index(sown.board).1]).max();
                let stuck = board.mover_total() as i8 - board.opponent_total() as i8;
                let best = best.map_or(captures[place], |best| best.max(captures[place]));
                values[place] = if best == NO_CAPTURE { stuck } else { best };
            }
            if values == before {
                break;
            }
        }
        layers.push((values, captures));
    }
    layers
}

fn as_symbols(values: &[i8], seeds: usize) -> Vec<u8> {
    values.iter().map(|&value| (value + seeds as i8) as u8).collect()
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn solved_layers_come_back_and_are_the_same_bytes_everywhere() {
    let rules = Rules::ABAPA;
    let layers = solved(6, &rules);
    // Published counts, as far as they say anything of the solver here.
    let wins = |seeds: usize| layers[seeds].0.iter().filter(|&&value| value > 0).count();
    assert_eq!([3, 4, 5, 6].map(wins), [121, 577, 2_161, 5_707]);
    let mut hashes = Vec::new();
    for (seeds, (values, captures)) in layers.into_iter().enumerate() {
        let symbols = as_symbols(&values, seeds);
        for side in [None, Some(captures)] {
            let case = Case::new(seeds, rules.table_rules(), symbols.clone(), side);
            let bytes = case.check();
            assert_eq!(bytes, case.check());
            hashes.push(hash(&bytes));
        }
    }
    // These change with the format, and then only. They pin the bytes on every platform.
    let all: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    assert_eq!(hash(&all), 0x5d60_4c2f_0e7d_b3bf);
}

/// Symbols up to `largest`, the small ones more often the larger `skew` is.
fn random_symbols(rng: &mut TestRng, size: usize, largest: usize, skew: usize) -> Vec<u8> {
    let symbol = |rng: &mut TestRng| (0..=skew).map(|_| rng.below(largest + 1)).min();
    (0..size).map(|_| symbol(rng).unwrap_or(0) as u8).collect()
}

#[test]
fn random_symbols_come_back_under_all_rules() {
    let mut rng = TestRng::from_env("random_symbols_come_back_under_all_rules");
    for (round, preset) in oware_rules::PRESETS.iter().cycle().take(40).enumerate() {
        let seeds = [0, 1, 2, 3, 4, 5, 6, 7, 8][round % 9];
        let size = Layer::new(seeds).size() as usize;
        let largest = *rng.pick(&[0, 1, 2 * seeds, 63, 64, 127, 128, 254, 255]);
        let skew = rng.below(6);
        let symbols = random_symbols(&mut rng, size, largest, skew);
        let side = rng.one_in(2).then(|| {
            let side = |_| if rng.one_in(3) { NO_CAPTURE } else { rng.next_u64() as i8 };
            (0..size).map(side).collect()
        });
        Case::new(seeds, preset.rules.table_rules(), symbols, side).check();
    }
}

#[test]
fn a_larger_layer_with_every_shape_of_tile_comes_back() {
    let mut rng = TestRng::from_env("a_larger_layer_with_every_shape_of_tile_comes_back");
    let size = Layer::new(12).size() as usize;
    // Runs of the same symbol, so that contexts are worth something.
    let mut symbols = Vec::with_capacity(size);
    while symbols.len() < size {
        let symbol = rng.below(25) as u8;
        let run = rng.between(1, 30).min(size - symbols.len());
        symbols.resize(symbols.len() + run, symbol);
    }
    let case = Case::new(12, Rules::ABAPA.table_rules(), symbols, None);
    let bits = 8.0 * case.check().len() as f64 / size as f64;
    // With 25 symbols equally likely it would be 4.64.
    assert!(bits < 2.0, "{bits} bits a board");
}

#[test]
fn symbols_that_were_not_trained_can_be_coded() {
    let mut rng = TestRng::from_env("symbols_that_were_not_trained_can_be_coded");
    let size = Layer::new(6).size() as usize;
    let symbols = random_symbols(&mut rng, size, 3, 2);
    let mut case = Case::new(6, Rules::ABAPA.table_rules(), symbols, None);
    let model = case.train();
    case.symbols = random_symbols(&mut rng, size, 255, 0);
    for tile in case.geometry.tiles() {
        let bytes = case.encode(&model, &tile);
        let decoded = case.decode(&model, &tile, &bytes, usize::MAX).unwrap();
        assert_eq!(decoded, tile.cut(&case.symbols));
    }
}

/// A small layer that has something of everything, with and without best captures.
fn small_cases() -> Vec<Case> {
    let rules = Rules::ABAPA;
    let (values, captures) = solved(4, &rules).pop().unwrap();
    let symbols = as_symbols(&values, 4);
    let case = |side| Case::new(4, rules.table_rules(), symbols.clone(), side);
    vec![case(None), case(Some(captures))]
}

#[test]
fn damaged_tiles_never_panic() {
    let mut rng = TestRng::from_env("damaged_tiles_never_panic");
    for case in small_cases() {
        let model = case.train();
        for tile in case.geometry.tiles() {
            let sound = case.encode(&model, &tile);
            let expected = tile.cut(&case.symbols);
            for bit in 0..8 * sound.len() {
                let mut bytes = sound.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                let decoded = case.decode(&model, &tile, &bytes, usize::MAX);
                assert!(decoded.is_err() || decoded.unwrap() != expected);
                let _ = case.decode(&model, &tile, &bytes, tile.len() / 2);
            }
            for length in 0..sound.len() {
                let decoded = case.decode(&model, &tile, &sound[..length], usize::MAX);
                assert!(decoded.is_err() || decoded.unwrap() != expected);
            }
            for _ in 0..100 {
                let length = rng.below(2 * sound.len() + 2);
                let bytes: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
                let _ = case.decode(&model, &tile, &bytes, usize::MAX);
            }
            let mut out = Vec::new();
            let wrong = [0i8; 3];
            let side = if case.side.is_some() { None } else { Some(&wrong[..]) };
            let result = model.decode_tile(&case.features, &tile, &sound, side, &mut out, 0);
            assert_eq!(result, Err(CodecError::Side));
        }
    }
}

#[test]
fn damaged_models_never_panic() {
    let mut rng = TestRng::from_env("damaged_models_never_panic");
    let mut cases = small_cases();
    let symbols = random_symbols(&mut rng, Layer::new(7).size() as usize, 14, 3);
    cases.push(Case::new(7, Rules::AWARI.table_rules(), symbols, None));
    for case in cases {
        let model = case.train();
        let sound = model.to_bytes();
        let tiles: Vec<Tile> = case.geometry.tiles().collect();
        let codes: Vec<Vec<u8>> = tiles.iter().map(|tile| case.encode(&model, tile)).collect();
        let try_out = |bytes: &[u8]| {
            if let Ok(model) = Model::from_bytes(bytes) {
                for (tile, code) in tiles.iter().zip(&codes) {
                    let side = case.side.as_ref().map(|side| tile.cut(side));
                    let mut out = Vec::new();
                    let upto = usize::MAX;
                    let _ = model.decode_tile(
                        &case.features,
                        tile,
                        code,
                        side.as_deref(),
                        &mut out,
                        upto,
                    );
                }
            }
        };
        let step = (sound.len() / 400).max(1);
        for place in (0..sound.len()).step_by(step) {
            for bit in 0..8 {
                let mut bytes = sound.clone();
                bytes[place] ^= 1 << bit;
                try_out(&bytes);
            }
            try_out(&sound[..place]);
        }
        for _ in 0..200 {
            let length = rng.below(300);
            let bytes: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
            try_out(&bytes);
        }
    }
}
