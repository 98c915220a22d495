// Media type of outputs in a Jupyter notebook that this page alone can show as they were.

/** Media type of an output as the page shows it. */
export const WEFT_OUTPUT = "application/vnd.weft.output.v1+json";
