// Members and paths in a tree of a value, which is a list of lines with depths. The worker may send
// any depths: a line is at most one level below the line before it.

import type { Branch } from "../../protocol/messages";

const depths = new WeakMap<readonly Branch[], readonly number[]>();

function depthsOf(branches: readonly Branch[]): readonly number[] {
  let known = depths.get(branches);
  if (!known) {
    let before = -1;
    known = branches.map(({ depth }) => (before = Math.min(depth, before + 1)));
    depths.set(branches, known);
  }
  return known;
}

/** Lines that stand open unasked. */
export const UNASKED = 200;

/** Lines that are drawn before anything is opened, at most `UNASKED`. */
export function linesAtFirst(branches: readonly Branch[]): number {
  let closed = Infinity;
  let count = 0;
  depthsOf(branches).forEach((depth, at) => {
    if (depth > closed) return;
    closed = branches[at]!.open ? Infinity : depth;
    count++;
  });
  return Math.min(UNASKED, count);
}

export function rootsOf(branches: readonly Branch[]): number[] {
  return depthsOf(branches).flatMap((depth, at) => (depth === 0 ? [at] : []));
}

/** The members of the line at a place. */
export function membersAt(branches: readonly Branch[], at: number): number[] {
  const depth = depthsOf(branches);
  const members: number[] = [];
  for (let i = at + 1; i < branches.length && depth[i]! > depth[at]!; i++) if (depth[i] === depth[at]! + 1) members.push(i);
  return members;
}

/** Names from the root to a line, which tell it in another tree of the same form. */
export function pathOf(branches: readonly Branch[], at: number): string {
  const depth = depthsOf(branches);
  const names: string[] = [];
  let level = depth[at]!;
  for (let i = at; i >= 0 && level >= 0; i--) {
    if (depth[i] !== level) continue;
    names.unshift(level === 0 ? String(rootsOf(branches).indexOf(i)) : branches[i]!.key);
    level--;
  }
  return JSON.stringify(names);
}
