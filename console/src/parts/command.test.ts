import { expect, test } from "vitest";
import { inputOptions, inputTextOptions, millraceCommand, shellWord } from "#/parts/command.ts";

test.each([
  ["hello.py", "hello.py"],
  ["", "''"],
  ["it's", `'it'\\''s'`],
  ["$(rm -rf /)", "'$(rm -rf /)'"],
])("writes %j for a shell", (word, written) => {
  expect(shellWord(word)).toBe(written);
});

test("names the workspace unless it is the default one", () => {
  expect(millraceCommand("default", "runs", "cancel", "1")).toBe("./millrace runs cancel 1");
  expect(millraceCommand("team-a", "runs", "cancel", "1")).toBe("./millrace runs cancel 1 --workspace team-a");
});

test("gives each field of an input, and keeps texts apart from numbers", () => {
  expect(inputOptions({ name: "Ada", count: 3, code: "3", tags: ["a"] })).toEqual([
    "-i",
    "name=Ada",
    "-i",
    "count=3",
    "-i",
    'code="3"',
    "-i",
    'tags=["a"]',
  ]);
  expect(inputTextOptions("{")).toEqual([]);
});
