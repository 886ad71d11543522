/** Where somebody writes in a YAML text of block style. */
export interface YamlPlace {
  /** Keys from the root to the mapping that is written; `[]` stands for an entry of a list. */
  readonly path: readonly string[];
  /** The key whose value is written; undefined if a key is written. */
  readonly key: string | undefined;
  /** What has been written of the key or value. */
  readonly prefix: string;
  /** Keys that the mapping has already. */
  readonly siblings: ReadonlySet<string>;
}

const WRITTEN = /^(\s*)((?:- +)*)(?:([\w.-]+):\s+)?([^\s:{}[\]"'#]*)$/;
const KEY_LINE = /^(\s*)((?:- +)*)([\w.-]+):(?:\s|$)/;

/** The place at an offset of a text; undefined where nothing can be completed, such as inside a flow mapping. */
export function yamlPlace(text: string, offset: number): YamlPlace | undefined {
  const lines = text.slice(0, offset).split("\n");
  const written = WRITTEN.exec(lines.pop() ?? "");
  if (written === null) {
    return undefined;
  }
  const [, space = "", dashes = "", key, prefix = ""] = written;
  const path: string[] = [];
  const siblings = new Set<string>();
  // Column of the keys of the mapping, and the column below which the key stands that has it.
  let column = space.length + dashes.length;
  let limit = enter(space, dashes, path) ?? column;
  // Whether the mapping may yet turn out to be an entry of a list, which begins at a key above.
  let isOpen = dashes === "";
  let isAbove = false;
  for (const line of lines.reverse()) {
    const found = KEY_LINE.exec(line);
    if (found === null) {
      continue;
    }
    const [, before = "", marks = "", name = ""] = found;
    const at = before.length + marks.length;
    if (at < limit) {
      path.unshift(name);
      isAbove = true;
      column = at;
    } else if (!isOpen || at !== column) {
      continue;
    } else if (!isAbove) {
      siblings.add(name);
    }
    isOpen = marks === "";
    limit = enter(before, marks, path) ?? column;
  }
  return { path, key, prefix, siblings };
}

/** Notes the entries of lists that begin in a line, and returns the column below which their key stands. */
function enter(space: string, dashes: string, path: string[]): number | undefined {
  const count = dashes.split("-").length - 1;
  for (let entry = 0; entry < count; entry++) {
    path.unshift("[]");
  }
  return count === 0 ? undefined : space.length + 1;
}
