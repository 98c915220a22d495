// Sections of the gallery, and the order of the notebooks in them. The first notebook is the one
// that opens by itself.

export const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Learn: [
    "welcome",
    "gradients",
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
    "letters",
    "embedder",
    "splats",
    "growing",
    "electrons",
  ],
  "How it works": [
    "fusion",
    "sorting",
    "races",
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
};
