import { withImportHints } from "./import_hint.ts";
import { assertEquals, assertIncludes } from "./testing/asserts.ts";
import { RuntimeProcess } from "./testing/runtime_process.ts";

const HINT =
  'The import of "zod" finds nothing. Write "npm:zod" for a package of npm, or "./zod" with the ending of the ' +
  "file for one beside the script.";

Deno.test("says how to write a bare import, in place of a command for projects", () => {
  const hint =
    "\n  hint: If you want to use a JSR or npm package, try running `deno add jsr:zod` or `deno add npm:zod`";
  for (const known of ["", ' and not in import map from "file:///work/a.ts"']) {
    for (const more of ["", hint]) {
      assertEquals(
        withImportHints(`Import "zod" not a dependency${known}${more}\n    at a.ts:1:1`),
        `${HINT}\n    at a.ts:1:1`,
      );
    }
  }
  assertEquals(withImportHints("another error"), "another error");
});

Deno.test("the error of a script with a bare import has the hint", async () => {
  await using process = new RuntimeProcess('import { z } from "zod";\nexport const main = () => z;');

  const { type, message, stack } = await process.nextFrame();

  assertEquals(type, "load_error");
  assertIncludes(String(message), HINT);
  assertEquals(`${message}${stack}`.includes("deno add"), false);
});
