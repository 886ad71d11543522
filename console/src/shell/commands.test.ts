import { expect, test } from "vitest";
import { matching } from "#/shell/commands.ts";

const names = ["Go to Runs", "text/word-count", "Runs of text/word-count"].map((name) => ({ name }));

test("finds what contains all words, and first what begins with the first of them", () => {
  expect(matching(names, "").map(({ name }) => name)).toHaveLength(3);
  expect(matching(names, "RUNS").map(({ name }) => name)).toEqual(["Runs of text/word-count", "Go to Runs"]);
  expect(matching(names, "count text").map(({ name }) => name)).toEqual(["text/word-count", "Runs of text/word-count"]);
  expect(matching(names, "nothing")).toEqual([]);
});
