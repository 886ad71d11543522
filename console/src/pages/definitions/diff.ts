/** A line of a comparison: in both texts, only in the older one, or only in the newer one. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Number of table cells up to which the shortest comparison is looked for: about 2,000 changed lines on each side. */
const CELLS_MAX = 4_000_000;

/** What has changed from one text to another, line by line. Beyond a limit, everything between counts as replaced. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    start++;
  }
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) {
    end++;
  }
  return [
    ...lines("same", old.slice(0, start)),
    ...changed(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...lines("same", old.slice(old.length - end)),
  ];
}

/** The lines of a text; the end of the last line begins no further one. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function lines(kind: DiffLine["kind"], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Follows a longest common subsequence. */
function changed(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > CELLS_MAX) {
    return [...lines("removed", old), ...lines("added", now)];
  }
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      common[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const found: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < now.length) {
    const isOld = row < old.length;
    const isNew = column < now.length;
    if (isOld && isNew && old[row] === now[column]) {
      found.push({ kind: "same", text: old[row] ?? "" });
      row++;
      column++;
    } else if (isOld && (!isNew || at(row + 1, column) >= at(row, column + 1))) {
      found.push({ kind: "removed", text: old[row++] ?? "" });
    } else {
      found.push({ kind: "added", text: now[column++] ?? "" });
    }
  }
  return found;
}
