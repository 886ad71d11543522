import { expect, test } from "vitest";
import { diffLines } from "#/pages/editor/line_diff.ts";

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => ({ same: " ", removed: "-", added: "+" })[kind] + text);

test.each([
  ["", "", []],
  ["a\n", "a\n", [" a"]],
  ["", "a\nb\n", ["+a", "+b"]],
  ["a\nb\n", "", ["-a", "-b"]],
  ["a\nb\nc\n", "a\nx\nc\n", [" a", "-b", "+x", " c"]],
  ["a\nb\nc\nd\n", "b\nc\nd\ne\n", ["-a", " b", " c", " d", "+e"]],
])("compares %j with %j", (before, after, lines) => {
  expect(shown(before, after)).toEqual(lines);
});

test("gives back both texts, whatever they are", () => {
  let state = 7;
  const random = (bound: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % bound;
  };
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: random(12) }, () => "abc"[random(3)]);
    const [before, after] = [text(), text()];
    const lines = diffLines(before.join("\n"), after.join("\n"));
    const of = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
    expect(of("added").join("\n")).toBe(before.join("\n"));
    expect(of("removed").join("\n")).toBe(after.join("\n"));
  }
});
