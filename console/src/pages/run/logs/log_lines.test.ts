import { expect, test } from "vitest";
import type { LogChunk } from "#/api/types.ts";
import { linesOf } from "#/pages/run/logs/log_lines.ts";

function chunk(position: number, text: string, job = "a"): LogChunk {
  return { job_id: job, step: job, attempt: 1, stream: "stdout", text, position };
}

test("joins the pieces of a line, also if those of two jobs alternate", () => {
  const lines = linesOf([chunk(1, "one\ntw"), chunk(2, "other\n", "b"), chunk(5, "o\r\nthree"), chunk(6, "!\n")]);
  expect(lines.map((line) => [line.key, line.step, line.text])).toEqual([
    ["1-0", "a", "one"],
    ["1-1", "a", "two"],
    ["2-0", "b", "other"],
    ["5-1", "a", "three!"],
  ]);
});

test("keeps empty lines, and splits those that are too long", () => {
  expect(linesOf([chunk(1, "\n\nend")]).map((line) => line.text)).toEqual(["", "", "end"]);
  const long = linesOf([chunk(3, "x".repeat(45_000))]);
  expect(long.map((line) => [line.key, line.text.length])).toEqual([
    ["3-0", 20_000],
    ["3-0+20000", 20_000],
    ["3-0+40000", 5_000],
  ]);
});
