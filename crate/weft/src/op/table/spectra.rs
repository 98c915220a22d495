operations! {
    spectra "Where do frequencies stand after a Fourier transform?"

    /// The frequencies of n numbers that are `spacing` apart, in the order of `fft.fft`.
    ///
    /// @example
    /// fft.fftfreq(4); // [0,0.25,-0.5,-0.25]
    fft.fftfreq(n: count, spacing: number = 1, device: device) ["" -> "f32", none] => fft::frequencies(&device, n, spacing, false);

    /// The frequencies of n real numbers that are `spacing` apart, in the order of `fft.rfft`.
    ///
    /// @example
    /// fft.rfftfreq(4); // [0,0.25,0.5]
    fft.rfftfreq(n: count, spacing: number = 1, device: device) ["" -> "f32", none] => fft::frequencies(&device, n, spacing, true);

    /// Rolled by half of each axis, so that the frequency 0 comes to the middle.
    ///
    /// @example
    /// fft.fftshift([0, 1, 2, -2, -1]); // [-2,-1,0,1,2]
    fft.fftshift(x: tensor, axis: axes) ["any" -> "same", smooth] => fft::shifted(&x, axis.as_deref(), false);

    /// The inverse of `fft.fftshift`.
    ///
    /// @example
    /// fft.ifftshift([-2, -1, 0, 1, 2]); // [0,1,2,-2,-1]
    fft.ifftshift(x: tensor, axis: axes) ["any" -> "same", smooth] => fft::shifted(&x, axis.as_deref(), true);
}
