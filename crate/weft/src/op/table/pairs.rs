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
    stft(x: tensor, window: maybe, length: count, hop: count, points: count, centred: flag, scaled: flag) ["any" -> "re f32, im f32", smooth] => {
        let usual = x.shape().last().map_or(0, |&count| count.min(256));
        let (window, how) = stft::told(x.device(), window, [length, hop, points], usual, centred, scaled)?;
        let made = stft::stft(&x, &window, &how)?;
        Ok(vec![made.re, made.im])
    };
    complex(re: tensor, im: tensor, a: tensor, b: tensor, which: count) ["any" -> "re f32, im f32", smooth] => {
        let made = complex::function(&fft::Complex { re, im }, &fft::Complex { re: a, im: b }, complex::Function::ALL[which.min(4)])?;
        Ok(vec![made.re, made.im])
    };
}
