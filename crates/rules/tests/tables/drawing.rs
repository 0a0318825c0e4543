//! Boards as text.

use lusoria_rules::Game;

use crate::support::{rules, set};

fn drawing(game: Game, white: &str, black: &str) -> String {
    format!("\n{}", set(rules(game), white, black).drawing())
}

#[test]
fn zeno_runs_around_its_middle_row() {
    let drawn = drawing(Game::Zeno, "m4*2 6*7 9 20*5 exposed", "m4 2 8*2 24*11 exposed");
    assert_eq!(
        drawn,
        "
12    11    10    9     8     7     | 6     5     4     3     2     1
.     .     .     1W    2B    .     | 7W    .     .     .     1B    .

m12   m11   m10   m9    m8    m7    | m6    m5    m4    m3    m2    m1
.     .     .     .     .     .     | .     .     2W1B  .     .     .

13    14    15    16    17    18    | 19    20    21    22    23    24
.     .     .     .     .     .     | .     5W    .     .     .     11B

W white: supply 0, off 0, exposed, to move
B black: supply 0, off 0, exposed
"
    );
}

#[test]
fn tavla_shows_what_lies_under_what() {
    let drawn = drawing(Game::Tavla, "24*10 20 18*2 6 5", "5 12*3 2*11 ^5");
    assert_eq!(
        drawn,
        "
13    14    15    16    17    18    | 19    20    21    22    23    24
3B    .     .     .     .     2W    | .     1W/B  .     .     11B   10W

12    11    10    9     8     7     | 6     5     4     3     2     1
.     .     .     .     .     .     | 1W    1W    .     .     .     .

W white: off 0, to move
B black: off 0
"
    );
}

#[test]
fn scripta_has_row_a_in_the_middle() {
    let drawn = drawing(Game::Scripta, "A1*2 A12 bar supply*11", "A3 B1 B6 C1 D6 E6 E1*9");
    assert_eq!(
        drawn,
        "
C6    C5    C4    C3    C2    C1    | B6    B5    B4    B3    B2    B1
.     .     .     .     .     1B    | 1B    .     .     .     .     1B

A1    A2    A3    A4    A5    A6    | A7    A8    A9    A10   A11   A12
2W    .     1B    .     .     .     | .     .     .     .     .     1W

D1    D2    D3    D4    D5    D6    | E6    E5    E4    E3    E2    E1
.     .     .     .     .     1B    | 1B    .     .     .     .     9B

W white: supply 11, bar 1, off 0, to move
B black: supply 0, bar 0, off 0
"
    );
}

#[test]
fn tabula_names_cells_by_whites_path() {
    let drawn = drawing(Game::Tabula, "1*2 12 13 bar supply*10", "1*3 9 supply*11");
    assert_eq!(
        drawn,
        "
12    11    10    9     8     7     | 6     5     4     3     2     1
1W    .     .     .     .     .     | .     .     .     .     .     2W

13    14    15    16    17    18    | 19    20    21    22    23    24
1W    .     .     1B    .     .     | .     .     .     .     .     3B

W white: supply 10, bar 1, off 0, to move
B black: supply 11, bar 0, off 0
"
    );
}
