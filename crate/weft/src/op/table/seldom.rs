operations! {
    seldom "What do functions that few call, which are written by hand in JavaScript, call?"

    select(conditions: tensors, choices: operands, otherwise: operand) ["bool; any; any" -> "promoted", smooth] => choose(&conditions, &choices, otherwise);
    einsum(text: text, tensors: tensors) ["f32, i32, u32" -> "promoted", smooth] => einsum(&text, &each(&tensors));
    pad.border(x: tensor, widths: widths, mode: text) ["any" -> "same", smooth] => x.pad_with(&widths.0, Border::parse("pad", &mode)?);
    unique.values(x: tensor, size: count) ["any" -> "same", smooth] => Ok(x.unique(size)?.values);
    unique.indices(x: tensor, size: count) ["any" -> "i32", none] => Ok(x.unique(size)?.indices);
    unique.inverse(x: tensor, size: count) ["any" -> "i32", none] => Ok(x.unique(size)?.inverse);
    unique.counts(x: tensor, size: count) ["any" -> "i32", none] => Ok(x.unique(size)?.counts);
    members.values(a: tensor, b: tensor, which: count, size: count, fill: number) ["any" -> "promoted", none] => a.members(&b, Members::ALL[which.min(3)], size, fill);
    members.count(a: tensor, b: tensor, which: count) ["any" -> "i32", none] => a.member_count(&b, Members::ALL[which.min(3)]);
    at.pick(x: tensor, mode: whole, fill: bound, words: order, indices: tensors) ["any; i32, u32" -> "same", smooth] => x.pick(&advanced::picks(&words, &indices), advanced::outside(mode, fill));
    at.put(x: tensor, mode: whole, way: count, words: order, indices: tensors, values: operand) ["any; i32, u32; any" -> "same", smooth] => x.put(&advanced::picks(&words, &indices), advanced::outside(mode, None), Put::ALL[way.min(10)], values);
    takeAlongAxis(x: tensor, indices: tensor, axis: axis) ["any; i32, u32" -> "same", smooth] => x.take_along_axis(&indices, axis);
    along.pick(x: tensor, indices: tensor, axis: axis, mode: whole, fill: bound) ["any; i32, u32" -> "same", smooth] => x.take_along_axis_or(&indices, axis, advanced::outside(mode, fill));
    random.permutation(key: tensor, x: tensor, axis: axis, independent: flag) ["u32; any" -> "same", smooth] => random::permutation(&key, &x, axis, independent);
    random.choice(key: tensor, x: tensor, shape: extents, once: flag, probabilities: tensors, axis: axis) ["u32; any; f32" -> "same", smooth] => random::choice(&key, &x, &shape, &Picks { once, probabilities: probabilities.first().cloned(), axis });
    segmentSum(x: tensor, ids: tensor, count: count) ["any; i32, u32" -> "the same, i32 of bool", smooth] => x.segment_sum(&ids, count);
    segmentMean(x: tensor, ids: tensor, count: count) ["any; i32, u32" -> "f32", smooth] => x.segment_mean(&ids, count);
    segmentMax(x: tensor, ids: tensor, count: count) ["any; i32, u32" -> "same", smooth] => x.segment_max(&ids, count);
    segmentMin(x: tensor, ids: tensor, count: count) ["any; i32, u32" -> "same", smooth] => x.segment_min(&ids, count);
    convolve(a: tensor, b: tensor, overlap: count) ["any" -> "promoted", smooth] => a.convolve(&b, Overlap::ALL[overlap.min(2)]);
    correlate(a: tensor, b: tensor, overlap: count) ["any" -> "promoted", smooth] => a.correlate(&b, Overlap::ALL[overlap.min(2)]);
    tensordot(a: tensor, b: tensor, left: order, right: order) ["f32, i32, u32" -> "promoted", smooth] => a.tensordot(&b, &left, &right);
    rotary(x: tensor, positions: maybe, base: finite) ["any" -> "f32 even of f16", smooth] => x.rotary(positions.as_ref(), base);
    attentionWeights(scores: tensor) ["any" -> "f32", smooth] => scores.attention_weights();
    sinusoidal(count: count, width: count, device: device) ["" -> "f32", none] => device.sinusoidal(count, width);
    convTranspose(x: tensor, kernel: tensor, how: order) ["f32, i32, u32" -> "promoted", smooth] => conv::by_name(&x, &kernel, true, &how);
    diff(x: tensor, times: count, axis: axis) ["any" -> "same", smooth] => x.diff(times, axis);
    tri(rows: count, columns: count, diagonal: whole, device: device) ["" -> "f32", none] => device.tri(rows, columns, diagonal);
    ediff1d(x: tensor, begin: tensor, end: tensor) ["any" -> "same", smooth] => x.ediff1d(&begin, &end);
    ravelMultiIndex(positions: tensors, shape: extents, device: device) ["i32, u32" -> "promoted", none] => piece::ravel(&device, &each(&positions), &shape);
    average(x: tensor, axis: axes, keepdims: flag, weights: maybe) ["any" -> "f32", smooth] => x.average(axis.as_deref(), weights.as_ref(), keepdims);
    along.put(x: tensor, indices: integers, values: tensor, axis: axis, mode: whole) ["any; i32, u32; any" -> "same", smooth] => x.put_along_axis(&indices, &values, axis, advanced::outside(mode, None));
    ctcLoss(logits: tensor, logit_pads: tensor, labels: integers, label_pads: tensor, blank: count, none: finite) ["any; any; i32, u32; any" -> "f32", smooth] => loss::ctc((&logits, &logit_pads), (&labels, &label_pads), blank, none);
    bincount(x: tensor, length: count, weights: maybe) ["i32, u32" -> "i32, or the dtype of weights", smooth] => x.bincount(length, weights.as_ref());
    histogram.edges(x: tensor, bins: count, low: bound, high: bound) ["any" -> "f32 even of f16", smooth] => x.histogram_edges(bins, low.zip(high));
    histogram.counts(x: tensor, edges: tensor, density: flag, weights: maybe) ["any" -> "i32, the dtype of weights, or f32", smooth] => x.histogram(&edges, weights.as_ref(), density);
    histogramdd(coordinates: tensors, edges: tensors, density: flag, weights: maybe) ["any" -> "i32, the dtype of weights, or f32", smooth] => histogramdd(&each(&coordinates), &each(&edges), weights.as_ref(), density);
    istft(re: tensor, im: tensor, window: maybe, length: count, hop: count, points: count, centred: flag, scaled: flag) ["any" -> "f32", smooth] => {
        let usual = re.rank().checked_sub(2).map_or(0, |axis| 2 * re.shape()[axis].saturating_sub(1));
        let (window, how) = stft::told(re.device(), window, [length, hop, points], usual, centred, scaled)?;
        stft::istft(&fft::Complex { re, im }, &window, &how)
    };
    among(x: stored, axis: axes, keepdims: flag, over: text, correction: number, initial: bound, mask: maybe, dtype: bound) ["any" -> "`dtype`", smooth] => {
        let dtype = dtype.and_then(|code| DType::ALL.get(code as usize).copied());
        among_by_name(&x.0, &over, axis.as_deref(), keepdims, correction, &Among { initial, mask, dtype })
    };
    crossEntropy.weighed(logits: tensor, targets: tensor, ignored: bound, smoothing: number) ["any; i32, u32, f32" -> "f32 even of f16", smooth] => loss::cross_entropy(&logits, &targets, ignored, smoothing);
    linspace.spaced(start: number, stop: number, count: count, options: spacing, device: device) ["" -> "`dtype`", none] => device.linspace_with(start, stop, count, options);
    indices(shape: extents, dtype: dtype, device: device) ["" -> "`dtype`", none] => device.indices(&shape, dtype);
    repeat(x: tensor, times: counts, axis: position) ["any" -> "same", smooth] => x.repeat(&times, axis.map(|axis| axis[0]));
    repeat.by(x: tensor, times: integers, length: count, axis: position) ["any; i32, u32" -> "same", smooth] => x.repeat_by(&times, length, axis.map(|axis| axis[0]));
}
