// Texts behind the `?` of controls and lists, fetched when the first of them is pressed.

import type { Choice } from "../../protocol/messages";

const again = (how: string) => `${how} Cells that use the value run again.`;

export const HELP: Readonly<Record<Choice["type"] | "animation" | "button" | "heatmap" | "pad" | "gallery" | "mine", string>> = {
  slider: again("Drag it, or use the arrow keys."),
  number: again("Type a number, or use the arrow keys."),
  select: again("Choose from the list, or use the arrow keys."),
  checkbox: again("Click it, or press Space."),
  color: again("Opens your browser's colours."),
  text: again("Type into it."),
  range: again("Drag either end; Tab goes from one to the other, and the arrow keys move it."),
  point: again("Drag the point, or use the arrow keys; with Shift they take ten steps."),
  play: again("Plays through its values; the second button goes one step on."),
  upload: again("The file stays in this browser, with the notebook."),
  button: "Press it, or focus it and press Enter or Space: the cell that made it says what is done.",
  heatmap: "Move over it, or use the arrow keys, to read values; with Shift they take ten steps. PNG saves the picture, one pixel for each value.",
  animation: "Play and pause, go one frame on, begin anew. Frames are computed only while you can see them.",
  pad: "Draw with the pointer or a finger, or with the arrow keys: Space lowers and lifts the pen, Escape clears.",
  gallery: "Notebooks of this site. You can edit and run them: your edits stay in this browser, and Reset to original in the menu takes them back.",
  mine: "These notebooks are kept in this browser alone: share or download one to have it elsewhere. On a card, F2 renames and Delete deletes, which can be undone.",
};
