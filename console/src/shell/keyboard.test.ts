import { expect, test } from "vitest";
import { Chords } from "#/shell/keyboard.ts";

test("reads two keys as one name if they come soon after each other", () => {
  const chords = new Chords();
  expect(chords.read("g", false, 0)).toBe("g");
  expect(chords.read("r", false, 500)).toBe("g r");
  expect(chords.read("r", false, 600)).toBe("r");
  expect(chords.read("g", false, 1_000)).toBe("g");
  expect(chords.read("r", false, 3_000)).toBe("r");
  expect(chords.read("K", true, 3_001)).toBe("Mod+k");
});
