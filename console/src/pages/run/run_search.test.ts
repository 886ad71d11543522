import { expect, test } from "vitest";
import { parseRunSearch } from "#/pages/run/run_search.ts";

test("reads the tab, the step and the line of an address", () => {
  expect(parseRunSearch({ tab: "logs", step: "a[1]", line: "42-3" })).toEqual({
    tab: "logs",
    step: "a[1]",
    line: "42-3",
  });
});

test.each([{ tab: "" }, { tab: "valueOf" }, { step: 7 }, { line: "x" }])("takes nothing from %j", (search) => {
  expect(parseRunSearch(search)).toStrictEqual({ tab: undefined, step: undefined, line: undefined });
});
