import { assertEquals } from "./testing/asserts.ts";
import { RuntimeProcess } from "./testing/runtime_process.ts";

const SCRIPT = `
  export const inputSchema = {
    "~standard": {
      version: 1,
      vendor: "test",
      async validate(value: { day?: string; items?: { count: number }[] }) {
        await null;
        const issues = (value.items ?? []).flatMap(({ count }, i) =>
          count > 0 ? [] : [{ message: "Too small", path: ["items", { key: i }, "count"] }]);
        if (value.day === undefined) issues.push({ message: "Required", path: ["day"] });
        return issues.length > 0 ? { issues } : { value: { day: new Date(value.day ?? ""), count: value.items?.length ?? 7 } };
      },
    },
  };
  export function main(day: Date, count: number, ctx: { runId: string }) {
    return [day instanceof Date, day, count, ctx.runId];
  }
`;

Deno.test("a schema of the script validates and converts the input", async () => {
  await using process = new RuntimeProcess(SCRIPT);

  assertEquals(await process.result({ day: "2026-01-31" }), [true, "2026-01-31T00:00:00.000Z", 7, "run-1"]);
  assertEquals((await process.result({ day: "2026-01-31", items: [{ count: 1 }] }) as unknown[])[2], 1);
  const { name, message, retryable } = await process.error({ items: [{ count: 1 }, { count: 0 }] });
  assertEquals([name, message, retryable], ["InputError", "items[1].count: Too small\nday: Required", false]);
});

Deno.test("another export of the name is no schema", async () => {
  await using process = new RuntimeProcess(
    "export const inputSchema = { a: 1 }; export const main = (b: number) => b;",
  );

  assertEquals(await process.result({ b: 3 }), 3);
});
