// The development server must leave the package as it is: see "Where it runs" in its README.
export default { optimizeDeps: { exclude: ["weft-gpu"] }, worker: { format: "es" } };
