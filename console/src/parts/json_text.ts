/** Characters of an array or object that stays on one line. */
const LINE_MAX = 72;
const INDENT = "  ";

/** A JSON value as indented text: arrays and objects stand on one line if they are short and have no others inside but short ones. */
export function jsonText(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value) ?? "";
  }
  const inside = indent + INDENT;
  if (Array.isArray(value)) {
    const line = short(value);
    return line === undefined || line.length + indent.length > LINE_MAX
      ? block(
          "[",
          value.map((item) => jsonText(item, inside)),
          "]",
          indent,
        )
      : line;
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${JSON.stringify(name)}: ${jsonText(field, inside)}`);
  return block("{", fields, "}", indent);
}

function block(open: string, parts: readonly string[], close: string, indent: string): string {
  const inside = indent + INDENT;
  return parts.length === 0
    ? open + close
    : `${open}\n${parts.map((part) => inside + part).join(",\n")}\n${indent}${close}`;
}

/** An array of plain values, or of such arrays, on one line; undefined if it has objects, or is longer than any line. */
function short(array: readonly unknown[]): string | undefined {
  const parts: string[] = [];
  let length = 0;
  for (const item of array) {
    const part = Array.isArray(item)
      ? short(item)
      : typeof item === "object" && item !== null
        ? undefined
        : JSON.stringify(item);
    length += (part?.length ?? 0) + 2;
    if (part === undefined || length > LINE_MAX) {
      return undefined;
    }
    parts.push(part);
  }
  return `[${parts.join(", ")}]`;
}
