//! Times of factorizations of 512 × 512, on the GPU or, with `cpu`, on the CPU device.
//!
//! `cargo run --release -p weft --example factorizations [cpu]`. Each runs twice: the first time
//! compiles.

use std::time::Instant;
use weft::{Device, Result, Tensor, linalg, random};

const ROWS: usize = 512;

fn main() -> Result<()> {
    let device = match std::env::args().nth(1).as_deref() {
        Some("cpu") => Device::cpu(),
        _ => pollster::block_on(Device::gpu(Default::default()))?,
    };
    let drawn = |columns: usize| random::normal(&random::key(&device, 7)?, &[ROWS, columns], 0.0, 1.0);
    let (a, b) = (drawn(ROWS)?, drawn(1)?);
    let time = |name: &str, result: Result<Tensor>, start: Instant| -> Result<()> {
        let size = pollster::block_on(result?.square()?.mean(None, false)?.item())?;
        println!("{name}: {:.2} s, mean square {size}", start.elapsed().as_secs_f64());
        Ok(())
    };
    for _ in 0..2 {
        let start = Instant::now();
        time("what solve misses", a.matmul(&linalg::solve(&a, &b)?)?.sub(&b), start)?;
        let start = Instant::now();
        time("qr", Ok(linalg::qr(&a, false)?.swap_remove(0)), start)?;
        let start = Instant::now();
        time("eigh", Ok(linalg::eigh(&a)?.swap_remove(1)), start)?;
        let start = Instant::now();
        time("svd", Ok(linalg::svd(&a, false)?.swap_remove(0)), start)?;
    }
    Ok(())
}
