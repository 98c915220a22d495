// Texts behind the `?` of outputs, controls and lists, fetched when the first of them is pressed.
// Dialogs, panels and plots have theirs beside them (`about`, `openDialog`). What says all that
// there is to say has none: printed text and values of one line, texts, errors, downloads, buttons
// of the page (they have titles), questions (they say what each answer does), and the map of the
// keyboard. Of each kind in a cell the first has it.

import type { Choice } from "../../protocol/messages";

const again = (how: string) => `${how} Cells that use the value run again.`;

export const HELP: Readonly<Record<Choice["type"] | "animation" | "button" | "heatmap" | "pad" | "gallery" | "mine" | "chart" | "table" | "tensor" | "tree" | "picture" | "sound" | "progress", string>> = {
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
  heatmap: "Move over it, or use the arrow keys, to read values; with Shift they take ten steps. PNG saves the picture without its axes, twice as large as it is shown.",
  animation: "Play and pause, go one frame on, begin anew. Frames are computed only while you can see them.",
  pad: "Draw with the pointer or a finger, or with the arrow keys: Space lowers and lifts the pen, Escape clears.",
  chart: "Move over it to read values; else the figures are the latest. Curves grow while their cell runs.",
  table: "Below a column's name is the type of its values. Focus the table to scroll it with the arrow keys.",
  tensor: "The tensor's type and shape, statistics of all its elements, and its first rows and columns. Slice it to see others.",
  tree: "Click a line to open or close it, or use the arrow keys; * opens all lines of a level.",
  picture: "One pixel for each element of a tensor; small pictures are enlarged. PNG saves it, of a grid all pictures together, one pixel for each element. Where a picture follows the pointer, the arrow keys move it, and Space presses and releases.",
  sound: "The samples of a tensor, from −1 to 1. Space plays and pauses; the player's menu saves them as WAV.",
  progress: "The steps that are done, and the time that the others will take at this pace. Stop, in the header, ends the cell early.",
  gallery: "Notebooks of this site. You can edit and run them: your edits stay in this browser, and Reset to original in the menu takes them back.",
  mine: "These notebooks are kept in this browser alone: share or download one to have it elsewhere. On a card, F2 renames and Delete deletes, which can be undone.",
};
