import { assertEquals } from "../../src/testing/asserts.ts";
import { selectionOf } from "./conversion.ts";

Deno.test("selects runs by what lists look for", () => {
  const selection = selectionOf({ name: "pay.py", withInput: ["id=7"], withOutput: ["note~late"], tag: "gpu" });
  const value = { flowPath: "", states: [], name: "pay.py", tag: "gpu", input: ["id=7"], output: ["note~late"] };
  assertEquals(selection, { case: "filter", value });
});
