// What must be known before the first paint? The reader's colours; and whether what index.html shows is what will be shown: an
// address may ask for another notebook, and a returning reader may have edited this one, or see what it showed last time. It is
// then held back until the script is there, which is sooner than it could be read. Runs in the page's head, before anything shows.

import { isShare } from "../state/share";
import { browserStore, EditStore } from "../state/storage";
import { applyTheme } from "../view/theme";

declare const FIRST_NOTEBOOK: string;

applyTheme();
const asked = new URLSearchParams(location.search);
const wanted = asked.get("notebook");
const key = `gallery:${FIRST_NOTEBOOK}`;
const edits = new EditStore(browserStore());
const other = isShare(location.hash) || asked.has("file") || (wanted !== null && wanted !== "" && wanted.replace(/\.md$/, "") !== FIRST_NOTEBOOK.replace(/\.md$/, "")) || edits.read(key) !== null;
if (other) document.documentElement.dataset["first"] = "other";
else if (edits.readOutputs(key) !== null) document.documentElement.dataset["first"] = "outputs";
