/** A line of a comparison: in both texts, only in the older one, or only in the newer one. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Equal lines between two changes that nobody needs to see at first. */
export interface Fold {
  readonly kind: "fold";
  readonly lines: readonly DiffLine[];
}

/** Leaves the changed lines and some equal ones around each; the other ones are folded, so that changes come first. */
export function foldEqual(lines: readonly DiffLine[], context: number): readonly (DiffLine | Fold)[] {
  const found: (DiffLine | Fold)[] = [];
  for (let from = 0; from < lines.length; ) {
    const length = lines.slice(from).findIndex(({ kind }) => kind !== "same");
    const to = length < 0 ? lines.length : from + length;
    const begin = from === 0 ? 0 : Math.min(to, from + context);
    const end = to === lines.length ? to : Math.max(begin, to - context);
    // A fold of one line would take as much room as the line.
    const isFolded = end - begin > 1;
    found.push(...lines.slice(from, isFolded ? begin : to));
    if (isFolded) {
      found.push({ kind: "fold", lines: lines.slice(begin, end) }, ...lines.slice(end, to));
    }
    from = to;
    for (let line = lines[from]; line !== undefined && line.kind !== "same"; line = lines[from]) {
      found.push(line);
      from++;
    }
  }
  return found;
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
