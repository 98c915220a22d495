//! Software model: WebGPU on two processor cores, which each run four invocations as one, by
//! SwiftShader or lavapipe.

use super::*;

/// A software adapter.
pub static SOFTWARE: DeviceModel = DeviceModel {
    name: "software",
    number: 1,
    cheap_barriers: false,
    coalesces: false,
    hoists: false,
    dispatch: 60_000.0,
    processors: 2.0,
    serial: Some(SerialModel { most_workgroups: 16.0, operations: (1 << 17) as f64, kernel: 15_000.0 }),
    map: MapModel::Serial(SerialMap {
        workgroup: 500.0,
        invocation: 12.0,
        element: 7.0,
        with_neighbours: 0.6,
        most_compiled: 192,
        // A stencil of five values and another tensor over 256² takes 0.64 ms where an invocation
        // computes four by two, 0.93 by four rows and 1.55 by one (SwiftShader).
        large: (1 << 12) as f64,
    }),
    rows: RowModel {
        // The unit is what 128 invocations take.
        waves: Waves::InTurns { invocations: 8.0, turns: 16.0 },
        together: 0.4,
        vectorized: 0.65,
        fewer_loads: 1.0,
        operations: f64::INFINITY,
        resident: f64::INFINITY,
        cached: f64::INFINITY,
        from_cache: 1.0,
        apart: 1.0,
        barrier: 1_000.0,
        subgroups: None,
        shared: None,
    },
    tiles: None,
    contract: ContractModel::Serial(SerialContract {
        busy: 16.0,
        read: 10.0,
        read_vectorized: 7.0,
        sum: 0.5,
    }),
    product: 2.5,
    shared_tiles: None,
    sliced: None,
    attention: None,
    attention_rows: Some(AttentionRowModel { busy: 16.0, read: 7.0, sum: 4.0, weight: 30.0 }),
    scan: ScanModel { element: 0.003, apart: 0.003 },
    scatter: ScatterModel {
        dispatch: 1500.0,
        each: 0.01,
        summed: 0.037,
        summed_near: 0.022,
        slower: 100.0,
        // 2¹⁸ updates take 73 ms with a window and 33 without (SwiftShader).
        finds_largest: false,
        sorts_rows: false,
        contended: 0.0,
        few_places: 256.0,
        look: 0.5,
        turn: 0.0,
        sorted: 0.004,
        copies: Some(CopyModel { update: 0.65, element: 0.6 }),
        shared: None,
    },
    sort: SortModel { network: None, radix: None, serial: Some(10.0), merge: Some(6.0) },
    // A line of 1,024 numbers takes 189 µs in one kernel of 64 invocations, 64 lines of 256 take
    // 2.2 ms in one and 0.73 ms in two, and a line of 2,048 takes 131 µs in three (SwiftShader).
    fourier: FourierModel::Serial { element: 62.0, barrier: 4.0, pass: 10.0 },
    loop_node: 1e-4,
    fusion: FUSION,
    rules: RuleModel {
        few_results: 256,
        few_and_long: 16,
        read_once: Some([4096, 64]),
        alone: None,
        many_results: None,
        few_products: 1 << 21,
        many_loads: 1 << 19,
        arranges_windows: false,
        least_arranged: 1 << 27,
        many_lines: 1 << 18,
    },
    control: ControlModel { dispatch_operations: 4096.0, least_spared: 1 << 20, most_unpolled: 256 },
    submission: SubmissionModel { operation: 0.5, dispatch: 50e3, whole_run: (1u64 << 29) as f64 },
    long_dispatch: 1 << 26,
    least_copied: 1 << 18,
};
