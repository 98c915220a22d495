// The domains, in the order in which their rows are numbered. `xtask` reads this file too.
groups! {
    elementwise arithmetic number compare activation loss loss_per_element reduce scan sort shape join indexing create contract
    conv linalg fft signal polynomials statistics random special
}
