import { assertEquals } from "../../src/testing/asserts.ts";
import { ListedSessions, type SchedulerSession } from "./listed_sessions.ts";

/** A scheduler that can be reached if the test says so. */
class FakeSession {
  isThere = true;
  answers = true;
  requests = 0;
  readonly authority: string;

  constructor(authority: string) {
    this.authority = authority;
  }

  async connect(): Promise<"open" | "error"> {
    if (!this.answers) await new Promise(() => {});
    return this.isThere ? "open" : "error";
  }

  request(): Promise<string> {
    this.requests++;
    return this.isThere ? Promise.resolve(this.authority) : Promise.reject(new Error(`${this.authority} is away`));
  }

  abort(): void {
    this.answers = true;
    this.isThere = false;
  }
}

function listed(count: number): { schedulers: FakeSession[]; send: () => Promise<string> } {
  const schedulers = ["a", "b", "c"].slice(0, count).map((name) => new FakeSession(name));
  const sessions = new ListedSessions(schedulers as unknown as SchedulerSession[], 1);
  return { schedulers, send: async () => String(await sessions.request("POST", "/", {}, {})) };
}

Deno.test("requests stay with a scheduler until it is gone", async () => {
  const { schedulers: [first], send } = listed(3);
  assertEquals([await send(), await send()], ["a", "a"]);

  first!.isThere = false;
  assertEquals(await send(), "b");

  first!.isThere = true;
  assertEquals(await send(), "b");
});

Deno.test("requests that are sent together leave a scheduler once", async () => {
  const { schedulers: [first], send } = listed(3);
  first!.isThere = false;

  assertEquals(await Promise.all([send(), send(), send()]), ["b", "b", "b"]);
});

Deno.test("a scheduler that accepts no connection in time counts as gone", async () => {
  const { schedulers: [first], send } = listed(2);
  first!.answers = false;

  assertEquals(await send(), "b");
  assertEquals(first!.requests, 0);
});

Deno.test("a request fails if no scheduler can be reached", async () => {
  const { schedulers, send } = listed(3);
  for (const scheduler of schedulers) scheduler.isThere = false;

  const failure = await send().catch((error: Error) => error.message);

  assertEquals(failure, "c is away");
});

Deno.test("a single scheduler is asked without further ado", async () => {
  const { schedulers: [only], send } = listed(1);
  only!.answers = false;

  assertEquals(await send(), "a");
});
