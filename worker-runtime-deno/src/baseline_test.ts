import { assertEquals } from "./testing/asserts.ts";
import { RuntimeProcess } from "./testing/runtime_process.ts";

const CHANGES: readonly (readonly [change: string, look: string])[] = [
  ["Deno.chdir('..')", "Deno.cwd()"],
  ["const d = Deno.makeTempDirSync(); Deno.chdir(d); Deno.removeSync(d)", "Deno.cwd()"],
  ["Deno.removeSync(Deno.cwd(), { recursive: true })", "Deno.cwd()"],
  ["Deno.env.set('HOME', '/nowhere')", "Deno.env.get('HOME')"],
  ["Deno.env.set('LEFT', 'here')", "Deno.env.has('LEFT')"],
  ["process.env.LEFT = 'here'; delete process.env.HOME", "[process.env.LEFT, process.env.HOME, Deno.env.get('HOME')]"],
  ["Deno.env.delete('MODE')", "Deno.env.get('MODE')"],
  ["Deno.env.set('TZ', 'Asia/Tokyo')", "new Date(0).getHours()"],
  ["Deno.umask(0o777)", "Deno.umask()"],
  ["Deno.exitCode = 3", "Deno.exitCode"],
];

Deno.test("each job begins as the first one, whatever earlier ones have changed", async () => {
  for (const [change, look] of CHANGES) {
    await using process = new RuntimeProcess(`
      import process from "node:process";
      Deno.mkdirSync("work");
      Deno.chdir("work");
      Deno.env.set("MODE", "fast");
      export function main(change: boolean) {
        if (change) { ${change}; return; }
        return ${look};
      }
    `);
    // deno-lint-ignore no-await-in-loop -- one job at a time
    const first = await process.result({ change: false });
    // deno-lint-ignore no-await-in-loop -- one job at a time
    await process.result({ change: true });
    // deno-lint-ignore no-await-in-loop -- one job at a time
    assertEquals([change, await process.result({ change: false })], [change, first]);
  }
});

Deno.test("variables of Windmill name the job", async () => {
  await using process = new RuntimeProcess(`
    export function main() {
      return ["WORKSPACE", "JOB_ID", "FLOW_JOB_ID", "ROOT_FLOW_JOB_ID", "FLOW_STEP_ID"].map((name) => Deno.env.get("WM_" + name));
    }
  `);

  assertEquals(await process.result({}, { step: "a[3]" }), ["", "job-1", "run-1", "run-1", "a[3]"]);
  assertEquals(await process.result(), ["", "job-2", "", "", ""]);
});

Deno.test("only versions that name variables of Windmill get them", async () => {
  const files = (words: string): Record<string, string> => ({ "parts/words.ts": `export const words = ${words};` });
  const script = `
    import { words } from "./parts/words.ts";
    export function main() { return [words, Deno.env.get(["WM", "JOB_ID"].join("_"))]; }
  `;
  await using without = new RuntimeProcess("export const main = () => Deno.env.has(['WM', 'JOB_ID'].join('_'));");
  await using named = new RuntimeProcess(script, [], files("'WM_JOB_ID'"));

  assertEquals(await without.result(), false);
  assertEquals(await named.result(), ["WM_JOB_ID", "job-1"]);
});

Deno.test("listeners of a job end with it", async () => {
  await using process = new RuntimeProcess(`
    let heard = 0;
    export function main() {
      addEventListener("ring", () => heard++);
      dispatchEvent(new Event("ring"));
      return heard;
    }
  `);

  assertEquals([await process.result(), await process.result(), await process.result()], [1, 2, 3]);
});

Deno.test("listeners of the script stay", async () => {
  await using process = new RuntimeProcess(`
    let heard = 0;
    addEventListener("ring", () => heard++);
    export function main() {
      dispatchEvent(new Event("ring"));
      return heard;
    }
  `);

  assertEquals([await process.result(), await process.result()], [1, 2]);
});
