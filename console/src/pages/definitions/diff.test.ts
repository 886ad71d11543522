import { expect, test } from "vitest";
import { type DiffLine, diffLines, foldEqual } from "#/pages/definitions/diff.ts";

const MARKS = { same: " ", removed: "-", added: "+" } as const;
const shown = (found: readonly DiffLine[]) => found.map(({ kind, text }) => MARKS[kind] + text);

test.each([
  ["", "", []],
  ["a\n", "a\n", [" a"]],
  ["", "a\nb\n", ["+a", "+b"]],
  ["a\nb\n", "", ["-a", "-b"]],
  ["a\nb\nc\nd", "a\nx\nc\ny\nd", [" a", "-b", "+x", " c", "+y", " d"]],
  ["a\nb\nc\nd\n", "b\nc\nd\ne\n", ["-a", " b", " c", " d", "+e"]],
])("compares %j with %j", (before, after, lines) => {
  expect(shown(diffLines(before, after))).toEqual(lines);
});

test("contains both texts, whatever they are", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const text = () => Array.from({ length: random(12) }, () => "abc"[random(3)]).join("\n");
  for (let round = 0; round < 500; round++) {
    const [before, after] = [text(), text()];
    const found = diffLines(before, after);
    const side = (left: DiffLine["kind"]) => found.filter(({ kind }) => kind !== left).map((line) => line.text);
    expect(side("added").join("\n")).toBe(before);
    expect(side("removed").join("\n")).toBe(after);
  }
});

test("gives up on the shortest comparison of very long texts", () => {
  const long = (mark: string) => Array.from({ length: 3_000 }, (_, index) => mark + index).join("\n");
  expect(diffLines(long("a"), long("b"))).toHaveLength(6_000);
});

test("folds equal lines far from changes, and loses none", () => {
  const text = (mark: string) =>
    Array.from({ length: 30 }, (_, at) => (at === 10 || at === 20 ? mark : `${at}`)).join("\n");
  const lines = diffLines(text("old"), text("new"));
  const folded = foldEqual(lines, 2);
  const short = folded.map((line) =>
    line.kind === "fold" ? `fold ${line.lines.length}` : MARKS[line.kind] + line.text,
  );
  expect(short).toEqual([
    "fold 8",
    " 8",
    " 9",
    "-old",
    "+new",
    " 11",
    " 12",
    "fold 5",
    " 18",
    " 19",
    "-old",
    "+new",
    " 21",
    " 22",
    "fold 7",
  ]);
  expect(folded.flatMap((line) => (line.kind === "fold" ? line.lines : [line]))).toEqual(lines);
  expect(foldEqual(diffLines("a\nb\n", "a\nc\n"), 2).map(({ kind }) => kind)).toEqual(["same", "removed", "added"]);
});
