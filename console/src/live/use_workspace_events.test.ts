import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readerOf } from "#/live/use_workspace_events.ts";
import { OF_WORK } from "#/live/wanted.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("requestAnimationFrame", (act: () => void) => setTimeout(act, 16));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("reads workers at once after one is lost, and again when answers from before are forgotten", () => {
  const happened = vi.fn();
  const reader = readerOf(OF_WORK, happened);
  reader.happened(["wait.began"]);
  vi.advanceTimersByTime(2_000);
  expect(happened).toHaveBeenCalledTimes(0);

  reader.happened(["worker.lost"]);
  reader.happened(["worker.lost", "worker.connected"]);
  vi.advanceTimersByTime(50);
  expect(happened).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(350);
  expect(happened).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(happened).toHaveBeenCalledTimes(2);
});

test("reads workers about once a second while runs change all the time, and not at all while nothing happens", () => {
  const happened = vi.fn();
  const reader = readerOf(OF_WORK, happened);
  for (let millis = 0; millis < 10_000; millis += 10) {
    reader.runs();
    vi.advanceTimersByTime(10);
  }
  expect(happened.mock.calls.length).toBeGreaterThanOrEqual(8);
  expect(happened.mock.calls.length).toBeLessThanOrEqual(10);
  vi.advanceTimersByTime(2_000);
  happened.mockClear();
  vi.advanceTimersByTime(60_000);
  expect(happened).toHaveBeenCalledTimes(0);
});

test("does not care about runs unless they are wanted", () => {
  const happened = vi.fn();
  readerOf({ types: ["wait."] }, happened).runs();
  vi.advanceTimersByTime(2_000);
  expect(happened).toHaveBeenCalledTimes(0);
});
