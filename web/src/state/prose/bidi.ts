// Directional formatting characters of the Unicode Bidirectional Algorithm (UAX #9). With them a
// text sets the order of its letters, and, where they are not closed, of the text after it.
// Right-to-left scripts read well without: their letters have a direction.

/** Overrides, which turn letters around. */
const OVERRIDES = /[\u202d\u202e]/g;
/** Those, embeddings and isolates, with their ends. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text of several sentences, in a block of its own: nothing in it is turned around. */
export const withoutOverrides = (text: string): string => text.replace(OVERRIDES, "");

/** A name, a title, a label: shown beside the page's own words. */
export const asName = (text: string): string => text.replace(CONTROLS, "");

/** Code, where what is run must be seen: each control as a dot, as in the editor. */
export const withControlsShown = (text: string): string => text.replace(CONTROLS, "•");
