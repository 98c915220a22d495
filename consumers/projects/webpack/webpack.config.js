// webpack's configuration. It needs no options: webpack takes the WebAssembly along, and the
// worker.
export default { mode: "production", entry: "./main.js", output: { filename: "main.js", module: true }, performance: false };
