import { assertEquals } from "../../src/testing/asserts.ts";
import type { ClientError } from "./errors.ts";
import { Attempts, type Retries } from "./retries.ts";

let now = 0;

function attempts(retries: Retries, random = 1): Attempts {
  now = 0;
  return new Attempts(retries, 0, () => now, () => random);
}

function error(mayHelp: boolean, retryAfter?: number): ClientError {
  return { mayHelp, retryAfter } as ClientError;
}

function isThrown(failed: ClientError, call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch (thrown) {
    return thrown === failed;
  }
}

Deno.test("delays double up to a limit", () => {
  const calls = attempts({ delayMin: 0.1, delayMax: 0.5 });
  assertEquals([1, 2, 3, 4].map(() => calls.delayAfter(error(true))), [100, 200, 400, 500]);
});

Deno.test("half of a delay is random", () => {
  assertEquals(attempts({}, 0).delayAfter(error(true)), 50);
});

Deno.test("the scheduler may ask for a longer delay", () => {
  assertEquals(attempts({}).delayAfter(error(true, 9)), 9000);
});

Deno.test("no attempt begins after the time is over", () => {
  const calls = attempts({ secondsMax: 1 });
  now = 950;
  const late = error(true);
  assertEquals(calls.timeout(15_000), 50);
  assertEquals(isThrown(late, () => calls.delayAfter(late)), true);
});

Deno.test("a stream that delivers begins anew", () => {
  const calls = attempts({ secondsMax: 1 });
  now = 950;
  calls.progressed();
  assertEquals(calls.delayAfter(error(true)), 100);
});

Deno.test("only what may pass is repeated, and not without end", () => {
  const hopeless = error(false);
  const last = error(true);
  const calls = attempts({ attemptsMax: 2 });
  assertEquals(isThrown(hopeless, () => attempts({}).delayAfter(hopeless)), true);
  assertEquals(calls.delayAfter(error(true)), 100);
  assertEquals(isThrown(last, () => calls.delayAfter(last)), true);
});
