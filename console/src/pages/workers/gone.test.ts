import { expect, test } from "vitest";
import type { Worker } from "#/api/types.ts";
import { GONE_SHOWN_MILLIS, NOTHING_SEEN, seenNext } from "#/pages/workers/gone.ts";

const worker = (session_id: string, name: string): Worker => ({ session_id, name });
const A = worker("1", "a");
const B = worker("2", "b");

test("a worker that is missed is shown for a while", () => {
  const both = seenNext(NOTHING_SEEN, [A, B], 0);
  expect(both.gone).toEqual([]);
  const one = seenNext(both, [A], 1_000);
  expect(one.gone).toEqual([{ worker: B, goneMillis: 1_000 }]);
  expect(seenNext(one, [A], 2_000).gone).toEqual(one.gone);
  expect(seenNext(one, [A], 1_000 + GONE_SHOWN_MILLIS).gone).toEqual([]);
});

test("a killed worker is gone, also once another one has taken its name", () => {
  const seen = seenNext(seenNext(NOTHING_SEEN, [A], 0), [worker("9", "a")], 1_000);
  expect(seen.gone).toEqual([{ worker: A, goneMillis: 1_000 }]);
  expect(seenNext(seen, [worker("9", "a")], 2_000).gone).toEqual(seen.gone);
});

test("a worker whose session is back is not gone", () => {
  const gone = seenNext(seenNext(NOTHING_SEEN, [A], 0), [], 1_000);
  expect(gone.gone).toHaveLength(1);
  expect(seenNext(gone, [A], 2_000).gone).toEqual([]);
});
