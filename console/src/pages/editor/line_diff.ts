/** A line of a comparison: in both texts, only in the old one, or only in the new one. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Largest product of line counts that is compared line by line; beyond it, the middle counts as replaced. */
const CELLS_MAX = 4_000_000;

/** Compares two texts by lines, with a longest common subsequence. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) {
    start++;
  }
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) {
    end++;
  }
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...(end === 0 ? [] : old.slice(-end).map(same)),
  ];
}

function middle(old: readonly string[], fresh: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (old.length * fresh.length > CELLS_MAX || old.length === 0 || fresh.length === 0) {
    return [...old.map(removed), ...fresh.map(added)];
  }
  const width = fresh.length + 1;
  // Length of the longest common subsequence of what follows both places.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push({ kind: "same", text: old[i] ?? "" });
      i++;
      j++;
    } else if (j >= fresh.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(old[i++] ?? ""));
    } else {
      lines.push(added(fresh[j++] ?? ""));
    }
  }
  return lines;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
