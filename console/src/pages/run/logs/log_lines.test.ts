import { expect, test } from "vitest";
import type { LogChunk } from "#/api/types.ts";
import { LINES_MAX, LogLines } from "#/pages/run/logs/log_lines.ts";

const chunk = (text: string, job = "1"): LogChunk => ({
  job_id: job,
  step: `s${job}`,
  attempt: 1,
  stream: "stdout",
  text,
});

test("joins lines that come in pieces, also when jobs alternate", () => {
  const log = new LogLines();
  log.push(chunk("one\ntw"));
  log.push(chunk("other\r\n", "2"));
  log.push(chunk("o\n\nend"));
  expect(log.lines.map((line) => `${line.number} ${line.step} ${line.text}`)).toEqual([
    "1 s1 one",
    "2 s1 two",
    "3 s2 other",
    "4 s1 ",
    "5 s1 end",
  ]);
});

test("keeps the newest lines, and goes on with an open one", () => {
  const log = new LogLines();
  log.push(chunk("x\n".repeat(LINES_MAX + 5)));
  log.push(chunk("op"));
  log.trim();
  log.push(chunk("en\n"));
  expect(log.lines).toHaveLength(LINES_MAX);
  expect(log.dropped).toBe(6);
  expect(log.lines.at(-1)).toMatchObject({ number: LINES_MAX + 6, text: "open" });
});

test("splits a line that is too long", () => {
  const log = new LogLines();
  log.push(chunk("y".repeat(50_000)));
  expect(log.lines.map((line) => line.text.length)).toEqual([20_000, 20_000, 10_000]);
});
