//! Tests of the codec as a whole.

use oware_rules::Rules;

use super::*;

fn solved_like(seeds: usize) -> Vec<u8> {
    let mut state = 12345u32;
    let size = Geometry::new(seeds).layer().size();
    let step = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 % (2 * seeds as u8 + 1)
    };
    (0..size).map(step).collect()
}

#[test]
fn tiles_come_back_as_they_were() {
    for seeds in 0..=7 {
        let geometry = Geometry::new(seeds);
        let features = Features::new(seeds, Rules::ABAPA.table_rules());
        let symbols = solved_like(seeds);
        let model = Model::train(&geometry, &features, &symbols, None);
        let again = Model::from_bytes(&model.to_bytes()).unwrap();
        for tile in geometry.tiles() {
            let mut bytes = Vec::new();
            model.encode_tile(&features, &tile, &symbols, None, &mut bytes);
            let mut out = Vec::new();
            again.decode_tile(&features, &tile, &bytes, None, &mut out, usize::MAX).unwrap();
            let expected: Vec<u8> = tile
                .runs()
                .flat_map(|run| symbols[run as usize..][..tile.mover_rows].to_vec())
                .collect();
            assert_eq!(out, expected);
        }
    }
}

#[test]
fn every_board_lies_in_one_tile() {
    for seeds in [0, 1, 2, 5, 8] {
        let geometry = Geometry::new(seeds);
        let mut seen = vec![0u8; geometry.layer().size() as usize];
        for (number, tile) in geometry.tiles().enumerate() {
            assert!(tile.len() <= geometry::TILE_BOARDS && !tile.is_empty());
            for (row, run) in tile.runs().enumerate() {
                for column in 0..tile.mover_rows {
                    seen[run as usize + column] += 1;
                    let at = geometry.locate(
                        tile.mover_total,
                        tile.first_opponent_rank + row,
                        tile.first_mover_rank + column,
                    );
                    assert_eq!(at, (number, row * tile.mover_rows + column));
                }
            }
        }
        assert!(seen.iter().all(|&times| times == 1));
    }
}
