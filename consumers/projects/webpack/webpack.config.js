// Nothing needs to be said: webpack takes the WebAssembly along, and the worker.
export default { mode: "production", entry: "./main.js", output: { filename: "main.js", module: true }, performance: false };
