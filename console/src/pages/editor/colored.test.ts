import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { colored } from "#/pages/editor/colored.ts";

test("colors keys, strings, numbers and comments", () => {
  expect(colored('# why\nname: "a"\nsize: 3\n', "yaml")).toEqual([
    { text: "# why", classes: "text-muted italic" },
    { text: "\n", classes: "" },
    { text: "name", classes: "text-accent" },
    { text: ": ", classes: "" },
    { text: '"a"', classes: "text-succeeded" },
    { text: "\n", classes: "" },
    { text: "size", classes: "text-accent" },
    { text: ": 3\n", classes: "" },
  ]);
  expect(colored("def main():\n    return 'x'", "python").map(({ text }) => text)).toContain("return");
  expect(colored("export const a = 1;", "typescript").find(({ text }) => text === "1")?.classes).toBe("text-running");
});

test.each([
  ["yaml", "examples/modules/flow.yaml"],
  ["python", "examples/modules/invoice.py"],
  ["yaml", "schema/millrace-flow.json"],
  ["typescript", "console/src/pages/editor/colored.ts"],
] as const)("keeps each character of %s: %s", (language, file) => {
  const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");
  const pieces = colored(text, language);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  expect(pieces.some(({ classes }) => classes !== "")).toBe(true);
});

test.each(["a: [1, {b: 'c", "\r\n\ta: |\r\n  x\r\n", "<script>alert(1)</script>", "\u0000\u{1f6a2}"])(
  "keeps what is no valid code: %j",
  (text) => {
    for (const language of ["yaml", "python", "typescript"] as const) {
      expect(
        colored(text, language)
          .map((piece) => piece.text)
          .join(""),
      ).toBe(text);
    }
  },
);
