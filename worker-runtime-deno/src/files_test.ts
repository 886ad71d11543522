import { assertEquals } from "./testing/asserts.ts";

Deno.test("the index lists every file that the worker extracts", () => {
  const folder = new URL(".", import.meta.url);
  const listed = Deno.readTextFileSync(new URL("FILES", folder)).trim().split("\n");

  const sources = [...Deno.readDirSync(folder)].map((entry) => entry.name)
    .filter((name) => name.endsWith(".ts") && !name.endsWith("_test.ts"));
  assertEquals(listed, ["import_map.json", ...sources].sort());
});
