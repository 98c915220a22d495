operations! {
    fft "Fourier transforms, spectrograms and functions of complex numbers."

    /// The frequencies of n numbers that are `spacing` apart, in the order of `fft.fft`.
    ///
    /// @example
    /// fft.fftfreq(4); // [0,0.25,-0.5,-0.25]
    fft.fftfreq(n: count, spacing: number = 1, device: device) ["" -> "f32", none, deferred] => fft::frequencies(&device, n, spacing, false);

    /// The frequencies of n real numbers that are `spacing` apart, in the order of `fft.rfft`.
    ///
    /// @example
    /// fft.rfftfreq(4); // [0,0.25,0.5]
    fft.rfftfreq(n: count, spacing: number = 1, device: device) ["" -> "f32", none, deferred] => fft::frequencies(&device, n, spacing, true);

    /// Rolled by half of each axis, so that the frequency 0 comes to the middle.
    ///
    /// @example
    /// fft.fftshift([0, 1, 2, -2, -1]); // [-2,-1,0,1,2]
    fft.fftshift(x: tensor, axis: axes) ["any" -> "same", smooth, deferred] => fft::shifted(&x, axis.as_deref(), false);

    /// The inverse of `fft.fftshift`.
    ///
    /// @example
    /// fft.ifftshift([-2, -1, 0, 1, 2]); // [0,1,2,-2,-1]
    fft.ifftshift(x: tensor, axis: axes) ["any" -> "same", smooth, deferred] => fft::shifted(&x, axis.as_deref(), true);

    fft(re: tensor, im: maybe, axes: axes, lengths: outer, kind: count, norm: count) ["any" -> "re f32, im f32", smooth, deferred, several] => {
        let (kind, norm) = (fft::Kind::ALL[kind.min(3)], fft::Norm::ALL[norm.min(2)]);
        let made = fft::transform(&re, im.as_ref(), axes.as_deref(), lengths.as_deref(), kind, norm)?;
        Ok(vec![made.re, made.im])
    };

    stft(x: tensor, window: maybe, length: count, hop: count, points: count, centred: flag, scaled: flag) ["any" -> "re f32, im f32", smooth, deferred, several] => {
        let usual = x.shape().last().map_or(0, |&count| count.min(256));
        let (window, how) = stft::resolve_window(x.device(), window, [length, hop, points], usual, centred, scaled)?;
        let made = stft::stft(&x, &window, &how)?;
        Ok(vec![made.re, made.im])
    };

    istft(re: tensor, im: tensor, window: maybe, length: count, hop: count, points: count, centred: flag, scaled: flag) ["any" -> "f32", smooth, deferred] => {
        let usual = re.rank().checked_sub(2).map_or(0, |axis| 2 * re.shape()[axis].saturating_sub(1));
        let (window, how) = stft::resolve_window(re.device(), window, [length, hop, points], usual, centred, scaled)?;
        stft::istft(&fft::Complex { re, im }, &window, &how)
    };

    complex(re: tensor, im: tensor, a: tensor, b: tensor, which: count) ["any" -> "re f32, im f32", smooth, deferred, several] => {
        let made = complex::function(&fft::Complex { re, im }, &fft::Complex { re: a, im: b }, complex::Function::ALL[which.min(4)])?;
        Ok(vec![made.re, made.im])
    };
}
