import { expect, test } from "vitest";
import type { LogChunk } from "#/api/types.ts";
import {
  chunksOf,
  EMPTY_WINDOW,
  firstPosition,
  lastPosition,
  PARTS_MAX,
  withArrived,
  withEarlier,
  withLater,
} from "#/pages/run/logs/log_window.ts";

const chunk = (position: number): LogChunk => ({ position, text: "line\n" });

test("drops what is far away, and knows that it did", () => {
  let window = withLater({ ...EMPTY_WINDOW, isStart: true }, { chunks: [chunk(10)], isLast: false });
  for (let at = 11; at < 10 + PARTS_MAX; at++) {
    window = withLater(window, { chunks: [chunk(at)], isLast: false });
  }
  expect(window).toMatchObject({ isStart: true, isEnd: false });
  window = withLater(window, { chunks: [chunk(50)], isLast: true });
  expect([firstPosition(window), lastPosition(window), window.isStart, window.isEnd]).toEqual([11, 50, false, true]);
  window = withEarlier(window, { chunks: [chunk(10)], isLast: true });
  expect([firstPosition(window), lastPosition(window), window.isStart, window.isEnd]).toEqual([10, 13, true, false]);
});

test("takes each chunk that arrives once", () => {
  let window = withArrived(EMPTY_WINDOW, [chunk(1), chunk(2)]);
  window = withArrived(window, [chunk(2), chunk(3)]);
  expect(chunksOf(window).map((each) => each.position)).toEqual([1, 2, 3]);
  for (let at = 4; at < 4_000; at++) {
    window = withArrived(window, [chunk(at)]);
  }
  expect(window.parts.length).toBe(PARTS_MAX);
  expect(window.isStart).toBe(false);
  expect(lastPosition(window)).toBe(3_999);
});
