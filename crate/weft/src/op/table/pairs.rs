several! {
    pairs "What do functions that yield several tensors, which are written by hand in JavaScript, call?"

    fft(re: tensor, im: maybe, axes: axes, lengths: outer, kind: count, norm: count) ["any" -> "re f32, im f32", smooth] => {
        let (kind, norm) = (fft::Kind::ALL[kind.min(3)], fft::Norm::ALL[norm.min(2)]);
        let made = fft::transform(&re, im.as_ref(), axes.as_deref(), lengths.as_deref(), kind, norm)?;
        Ok(vec![made.re, made.im])
    };

    topK(x: tensor, k: count, axis: axis) ["any" -> "values same, indices i32", smooth] => {
        let (values, indices) = x.top_k(k, axis)?;
        Ok(vec![values, indices])
    };
}
