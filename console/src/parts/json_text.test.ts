import { expect, test } from "vitest";
import { jsonText } from "#/parts/json_text.ts";

test("writes short arrays on one line", () => {
  expect(jsonText([[1, 2, 3]])).toBe("[[1, 2, 3]]");
  expect(jsonText({ list: ["a", "b"], none: [], empty: {}, word: 27 })).toBe(
    ["{", '  "list": ["a", "b"],', '  "none": [],', '  "empty": {},', '  "word": 27', "}"].join("\n"),
  );
});

test("writes long arrays and those with objects on many lines", () => {
  expect(jsonText([{ n: 1 }, [2]])).toBe(["[", "  {", '    "n": 1', "  },", "  [2]", "]"].join("\n"));
  const long = Array.from({ length: 30 }, (_, at) => 100 + at);
  expect(jsonText(long).split("\n")).toHaveLength(32);
});

test.each([null, true, 1.5, "it's", [], {}, [null, [[]]], { a: { b: [{ c: "x\ny" }] } }].map((value) => [value]))(
  "writes %j so that it reads the same",
  (value) => {
    expect(JSON.parse(jsonText(value))).toEqual(value);
  },
);
