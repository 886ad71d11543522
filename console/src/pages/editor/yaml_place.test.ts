import { expect, test } from "vitest";
import { yamlPlace } from "#/pages/editor/yaml_place.ts";

const TEXT = `millrace: v1
inputs:
  files: {type: array}
  mode:
    type: string
steps:
  - id: split
    script: split.py
    retry:
      max_retries: 3
  - id: check
    steps:
    - id: inner
      `;

/** The place at the mark `|`. */
function place(text: string) {
  const offset = text.indexOf("|");
  return yamlPlace(text.replace("|", ""), offset);
}

test.each([
  ["|", [], undefined, ""],
  ["mill|", [], undefined, "mill"],
  ["inputs:\n  mode:\n    ty|", ["inputs", "mode"], undefined, "ty"],
  ["inputs:\n  mode:\n    type: st|", ["inputs", "mode"], "type", "st"],
  ["steps:\n  - |", ["steps", "[]"], undefined, ""],
  ["steps:\n- id: a\n  scr|", ["steps", "[]"], undefined, "scr"],
  ["steps:\n  - id: a\n    retry:\n      ma|", ["steps", "[]", "retry"], undefined, "ma"],
  [`${TEXT}ha|`, ["steps", "[]", "steps", "[]"], undefined, "ha"],
  ["steps:\n  - id: a\nout|", [], undefined, "out"],
])("finds the place in %j", (text, path, key, prefix) => {
  expect(place(text)).toMatchObject({ path, key, prefix });
});

test("knows the keys beside it, and nothing inside a flow mapping", () => {
  expect([...(place("steps:\n  - id: b\n  - id: a\n    script: x\n    |")?.siblings ?? [])].sort()).toEqual([
    "id",
    "script",
  ]);
  expect(place("steps:\n  - {id: |")).toBeUndefined();
});
