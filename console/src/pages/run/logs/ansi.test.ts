import { expect, test } from "vitest";
import { ansiSpans, plainText } from "#/pages/run/logs/ansi.ts";

const ESC = "\u001b";

test("follows colors until they are reset", () => {
  expect(ansiSpans(`a${ESC}[1;31mb${ESC}[0mc`)).toEqual([
    { text: "a", className: "" },
    { text: "b", className: "text-failed font-bold" },
    { text: "c", className: "" },
  ]);
});

test.each([
  ["a link", `${ESC}]8;;javascript:alert(1)${ESC}\\text${ESC}]8;;${ESC}\\`, "text"],
  ["a title", `${ESC}]0;title\u0007text`, "text"],
  ["a move of the cursor", `${ESC}[2Ktext${ESC}[10D`, "text"],
  ["a color of a large palette", `${ESC}[38;5;31mtext${ESC}[38;2;1;2;31m`, "text"],
])("leaves out %s", (_, line, text) => {
  expect(ansiSpans(line)).toEqual([{ text, className: "" }]);
  expect(plainText(line)).toBe(text);
});

test("shows that there are characters which change the order of others", () => {
  expect(ansiSpans("a\u202eb\u0000")[0]?.text).toBe("a\ufffdb\ufffd");
});
