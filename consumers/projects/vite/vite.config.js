// Up to version 7 the development server must be told to leave the package as it is: see "Where it runs" in its README.
export default { optimizeDeps: { exclude: ["weft-gpu"] } };
