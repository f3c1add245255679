/** The priorities of an order of ACLs: how they are numbered, and the file that keeps them. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { put } from "../install/placing";

type Numbers = Readonly<Record<string, number>>;

/**
 * Returns increasing numbers for the ids. An id keeps its earlier number if that is greater than the number before it and leaves room
 * for the ids between. The others share the gap; at the end they continue in tens. Without room, all are numbered again.
 * @throws Error if there are more ids than numbers
 */
export function prioritiesFor(ids: readonly string[], first: number, last: number, earlier: Numbers = {}): Numbers {
  const numbers: Record<string, number> = {};
  let before = first - 1;
  let open: string[] = [];
  for (const id of [...ids, undefined]) {
    const after = id === undefined ? last + 1 : (earlier[id] ?? 0);
    const isKept = Number.isInteger(after) && after - before > open.length && (id === undefined || after <= last);
    if (id !== undefined && !isKept) {
      open.push(id);
      continue;
    }
    if (!isKept) {
      if (ids.length <= last - first + 1) return prioritiesFor(ids, first, last);
      const range = `the priorities ${first} and ${last}`;
      throw new Error(`${ids.length} network ACLs do not fit between ${range}: give the order a wider range.`);
    }
    const even = (after - before) / (open.length + 1);
    const step = id === undefined ? Math.min(10, Math.max(1, Math.floor(even))) : even;
    for (const [index, one] of open.entries()) numbers[one] = Math.floor(before + step * (index + 1));
    if (id !== undefined) numbers[id] = after;
    before = after;
    open = [];
  }
  return numbers;
}

/** By the path of the order, then by the id of the ACL. */
export function readPriorities(file: string): Readonly<Record<string, Numbers>> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Numbers>>;
  } catch (cause) {
    throw new Error(`${file} is not valid JSON: repair it, or delete it and synth numbers all ACLs again.`, { cause });
  }
}

export function writePriorities(file: string, order: string, numbers: Numbers): void {
  const all = Object.entries({ ...readPriorities(file), [order]: numbers });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  put(file, `${JSON.stringify(sorted, null, 2)}\n`, 0o644, path.dirname(file));
}
