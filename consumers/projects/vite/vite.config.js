// Vite's configuration. Up to version 7 the development server must exclude the package from its
// optimisation: see "Where it runs" in its README.
export default { optimizeDeps: { exclude: ["weft-gpu"] } };
