// Sections of the gallery, and the order of the notebooks in them. The first notebook is the one
// that opens by itself.

export const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Learn: [
    "welcome",
    "tensors",
    "gradients",
    "walks",
    "table",
    "clusters",
    "kernels",
    "filters",
    "frequencies",
    "plots",
    "sound",
    "camera",
    "ode",
    "kalman",
  ],
  Models: [
    "mnist",
    "cnn",
    "autoencoder",
    "diffusion",
    "letters",
    "embedder",
    "splats",
    "growing",
    "electrons",
  ],
  Simulations: [
    "waves",
    "fluid",
    "water",
    "nbody",
    "poisson",
    "mandelbrot",
    "buddhabrot",
    "pathtracer",
  ],
  "How it works": [
    "fusion",
    "sorting",
    "races",
  ],
};
