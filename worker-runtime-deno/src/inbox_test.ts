import { Inbox } from "./inbox.ts";
import { assertEquals } from "./testing/asserts.ts";

Deno.test("messages are put together from reads of any size", async () => {
  const jobs = ["é".repeat(70_000), "b", "c"];
  const bytes = new TextEncoder().encode(
    jobs.map((id) => `${JSON.stringify({ type: "job", id })}\n`).join(""),
  );
  for (const size of [1_001, 64 * 1024, bytes.length]) {
    let from = 0;
    const reader = {
      read: (buffer: Uint8Array): Promise<number | null> => {
        const part = bytes.subarray(from, from + Math.min(size, buffer.length));
        buffer.set(part);
        from += part.length;
        return Promise.resolve(part.length === 0 ? null : part.length);
      },
    };
    const inbox = new Inbox(reader, () => new Error("canceled"), () => {});
    // deno-lint-ignore no-await-in-loop -- one size after the other
    assertEquals(await inbox.read(), true);
    const ids = jobs.map(() => inbox.takeArrived()?.message.id);
    assertEquals(ids.map((id) => id?.length), jobs.map((id) => id.length));
  }
});
