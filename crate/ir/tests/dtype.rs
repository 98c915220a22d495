//! Promotion of dtypes: the table in `docs/dtypes.md` is the one of `DType::promote`.

use weft_ir::DType;

#[test]
fn the_documented_table_is_the_one_that_promotes() {
    let text = include_str!("../../../docs/dtypes.md");
    let (_, table) = text.split_once("## How dtypes meet").expect("the table has its heading");
    let mut rows = table.lines().filter(|line| line.starts_with('|')).map(|line| {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*'));
        cells.map(str::to_owned).collect::<Vec<_>>()
    });
    let dtype = |name: &str| DType::parse("test", name).unwrap();
    let columns: Vec<DType> = rows.next().unwrap()[1..].iter().map(|name| dtype(name)).collect();
    assert_eq!(columns.len(), DType::ALL.len());
    assert!(DType::ALL.iter().all(|dtype| columns.contains(dtype)));
    let rows: Vec<Vec<String>> = rows.skip(1).collect();
    assert_eq!(rows.len(), columns.len());
    for (row, &a) in rows.iter().zip(&columns) {
        assert_eq!(dtype(&row[0]), a);
        for (found, &b) in row[1..].iter().zip(&columns) {
            assert_eq!(DType::promote(a, b), dtype(found), "{a} with {b}");
        }
    }
}

#[test]
fn what_is_computed_of_packed_dtypes_meets_where_they_do() {
    for a in DType::ALL {
        for b in DType::ALL {
            let met = DType::promote(a, b);
            assert_eq!(met, DType::promote(b, a));
            assert_eq!(DType::promote(a.computed(), b.computed()), met.computed(), "{a} with {b}");
        }
    }
}
