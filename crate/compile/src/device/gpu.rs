//! GPU model, fitted to an NVIDIA H200 under Dawn where a number does not name another device.

use super::*;

/// A GPU.
pub static GPU: DeviceModel = DeviceModel {
    name: "gpu",
    number: 0,
    cheap_barriers: true,
    coalesces: true,
    hoists: true,
    dispatch: 5_000.0,
    processors: 132.0,
    serial: None,
    map: MapModel::Parallel(ParallelMap {
        workgroup: 0.8,
        invocation: 3.199,
        element: 0.002,
        // A padding of 2²⁴ elements takes 36 µs, 49 by map; what looks for nothing takes the same
        // by both.
        of_vector: 0.0019,
        transposed: 0.0018,
        large: (1 << 20) as f64,
        // Smaller ones lie in the cache.
        large_transposed: (1 << 17) as f64,
        most_operations: 64,
    }),
    // Fitted to reductions of 2²⁶ elements.
    rows: RowModel {
        // Few wait for one load after another, for those of a loop's iteration together.
        waves: Waves::Together { invocations: 1_048_576.0, least: 0.125 },
        together: 0.4,
        vectorized: 0.9,
        fewer_loads: 0.3,
        operations: 16e3,
        resident: 270_336.0,
        cached: 20e6,
        from_cache: 0.6,
        apart: 8.0,
        barrier: 2.0,
        subgroups: Some(2.0),
        shared: Some(SharedRowModel {
            // Softmax of 2¹⁹ rows of 49 elements, a row to a workgroup, took 0.327 ms on an NVIDIA
            // H100.
            workgroup: 0.6,
            // Two walks over 4096 rows of 32,768 take 0.30 ms, where one takes 0.37.
            in_turns: 2.2,
            of_few: 3.0,
            many: 262_144.0,
            scaled: 1.1,
            copied: 1.1,
            found: 0.15,
            copied_at_once: 1_048_576.0,
        }),
    },
    tiles: Some(TileModel {
        of_tile: 0.17,
        operations: 80e3,
        under_way: 1024.0,
        waiting: 128.0,
        exchange: 200.0,
        meeting: 20.0,
        pair_operations: 30e3,
        pair_exchange: 400.0,
    }),
    contract: ContractModel::Parallel(ParallelContract {
        invocations: 32_768.0,
        neighbours: 32,
        row: 3.9,
        column: 4.0,
        column_apart: 16.0,
        vectorized: 0.3,
        few_sums: 16,
        store_apart: 6.3e-5,
        near: 1 << 15,
        read_anew: 0.0008,
        read_left: 0.0018,
        read_apart: 2e-5,
    }),
    product: 2.5,
    // Rates of 24, 27, 35, 43 and 46 TFLOP/s. Aᵀ·B of 4096² comes to 48.9 TFLOP/s by 16×8
    // invocations and 44.8 by 16×16, where A·B comes to 44.2 and 48.2 (in one run).
    shared_tiles: Some(SharedTileModel {
        store: 0.0015,
        tiles: [
            TileRate::new(10.0, 24_000.0),
            TileRate::new(10.0, 24_000.0),
            TileRate::new(10.0, 26_000.0),
            TileRate::new(9.5, 29_500.0),
            TileRate::new(19.5, 42_500.0),
            TileRate { alone: 29.0, rate: 47_000.0, rate_transposed: 53_500.0 },
            TileRate { alone: 42.0, rate: 51_000.0, rate_transposed: 49_000.0 },
        ],
    }),
    // By such kernels in CUDA.
    sliced: Some(SlicedModel {
        meeting: 128,
        slices: [TileRate::new(3.7, 25_000.0), TileRate::new(3.8, 21_000.0)],
    }),
    // 16 heads of 2048 × 64, and 8 heads of 2048 × 128 on an H100 (Node, Dawn).
    attention: Some(AttentionModel {
        weight: 24.0,
        narrow: 64,
        blocks: [
            (TileRate::new(12.0, 37_000.0), 12_000.0),
            (TileRate::new(12.0, 37_500.0), 25_000.0),
            (TileRate::new(14.0, 37_200.0), 37_200.0),
            (TileRate::new(18.0, 30_000.0), 31_500.0),
            (TileRate::new(31.0, 34_300.0), 34_300.0),
        ],
    }),
    attention_rows: None,
    scan: ScanModel { element: 0.003, apart: 0.02 },
    scatter: ScatterModel {
        dispatch: 1500.0,
        each: 0.01,
        summed: 0.037,
        summed_near: 0.022,
        slower: 1.0,
        finds_largest: true,
        // Of 2¹⁶ rows of 768 into 50,257 atomics take 1.7 ms.
        sorts_rows: true,
        // 2²⁴ counts into 256 bins take 4.34 ms on an NVIDIA H100.
        contended: 0.22,
        few_places: 256.0,
        look: 0.0005,
        turn: 12.0,
        sorted: 0.004,
        copies: None,
        // Assumed rather than measured.
        shared: Some(SharedScatterModel {
            busy: 512.0,
            update: 0.005,
            summed_near: 0.01,
            summed: 0.013,
            word: 0.015,
        }),
    },
    sort: SortModel { network: Some(0.001), radix: Some(0.02), serial: None, merge: None },
    fourier: FourierModel::Parallel { element: 0.0014, together: 8.0, workgroups: 256.0 },
    loop_node: 1e-4,
    fusion: FUSION,
    rules: RuleModel {
        few_results: 256,
        few_and_long: 16,
        read_once: None,
        alone: Some([32, 1 << 16]),
        // Some eight small tiles for each processor.
        many_results: Some(1 << 20),
        few_products: 1 << 21,
        many_loads: 1 << 19,
        arranges_windows: true,
        // What is computed in the time that a dispatch takes.
        least_arranged: 1 << 27,
        many_lines: 1 << 18,
    },
    control: ControlModel {
        dispatch_operations: 4096.0,
        // Node: a dispatch that is counted on the device takes 160 to 220 µs and others 10. A
        // `cond` between two products of 128² each took 665 µs behind a gate, 58 selected and 27
        // alone; of 1024², where it saves 2³¹ operations in four dispatches, 808, 476 and 486.
        least_spared: 1 << 30,
        most_unpolled: 256,
    },
    submission: SubmissionModel { operation: 1e-3, dispatch: 4e3, whole_run: (1u64 << 36) as f64 },
    long_dispatch: 1 << 34,
    least_copied: 1 << 18,
};
