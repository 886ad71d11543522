import { assertEquals } from "../../src/testing/asserts.ts";
import { harmless } from "./notify.ts";

Deno.test("a function of the user that fails to tell something does not fail the session", () => {
  const told: string[] = [];
  const notify = harmless(
    () => {
      throw new Error("no log");
    },
    (level, message) => told.push(`${level}: ${message}`),
  );
  notify("warning", "The session is lost.");
  assertEquals(told, ['warning: The session is lost. (The function "notify" of the worker failed: Error: no log)']);
});
