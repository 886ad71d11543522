import { expect, test } from "vitest";
import { millraceCommand, shellWord } from "#/parts/command.ts";

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
