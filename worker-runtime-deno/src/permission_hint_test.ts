import { permissionHint } from "./permission_hint.ts";
import { assertEquals, assertIncludes } from "./testing/asserts.ts";
import { RuntimeProcess } from "./testing/runtime_process.ts";

const refused = (access: string): string => `Requires ${access}, run again with the --allow-x flag`;

Deno.test("names the annotation that gives what was refused", () => {
  for (
    const [access, annotation] of [
      ['read access to "/data/in.txt"', "allow-read=/data/in.txt"],
      ['read access to "in.txt"', "allow-read=/PATH"],
      ['write access to "/a b"', "allow-write=/PATH"],
      ['run access to "git"', "allow-run=git"],
      ["run access", "allow-run=PROGRAM"],
      ['ffi access to "/cache/crc32.node"', "allow-ffi"],
      ['net access to "localhost:1"', "allow-net=…"],
    ] as const
  ) {
    assertIncludes(String(permissionHint(new Error(refused(access)))), `"// millrace: ${annotation}"`);
  }
  assertEquals(permissionHint(new Error("Requires read access to this page")), undefined);
});

Deno.test("finds the refusal among causes, also in circles", () => {
  const refusal = new Error(refused('ffi access to "/x.node"'));
  const native = new Error("Failed to load native binding", { cause: [new Error("no file"), refusal] });
  assertIncludes(String(permissionHint(new Error("outer", { cause: native }))), "allow-ffi");

  const circle = new Error("circle");
  circle.cause = [circle, circle];
  assertEquals(permissionHint(circle), undefined);
});

Deno.test("shows it with the error of a job, and with that of a script that does not load", async () => {
  await using job = new RuntimeProcess('export const main = () => Deno.readTextFileSync("/etc/passwd");');
  assertIncludes(String((await job.error()).message), '"// millrace: allow-read=/etc/passwd"');

  await using load = new RuntimeProcess('Deno.dlopen("/lib/x.so", {}); export const main = () => 1;');
  assertIncludes(String((await load.nextFrame()).message), '"// millrace: allow-ffi"');
});
