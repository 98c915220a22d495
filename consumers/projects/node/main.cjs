// The package in Node.js, by `require`.

const weft = require("weft-gpu");

import("./program.js").then(async ({ program }) => console.log(JSON.stringify(await program(weft))));
