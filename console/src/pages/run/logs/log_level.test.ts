import { expect, test } from "vitest";
import { levelOf, linesFrom } from "#/pages/run/logs/log_level.ts";
import type { LogLine } from "#/pages/run/logs/log_lines.ts";

test.each([
  ["WARNING:root:disk is almost full", "warning"],
  ["2026-11-27 12:00:00,123 - shop.pay - ERROR - declined", "error"],
  ["2026-11-27 12:00:00.123 | INFO     | pay:charge:12 - ok", "info"],
  ["12:00:00.123 [main] DEBUG d.m.Pay - asks", "debug"],
  ["2026-11-27T12:00:00Z WARN slow", "warning"],
  ["[ERROR] declined", "error"],
  ["[error] declined", "error"],
  ["error: no such file", "error"],
  ["CRITICAL declined", "error"],
  ["\u001b[31mERROR\u001b[0m declined", "error"],
  ['{"time":"2026-11-27","level":"warn","msg":"slow"}', "warning"],
  ['{"level":50,"msg":"declined"}', "error"],
  ['{"severity": "NOTICE"}', "info"],
  ['time=2026-11-27T12:00:00Z level=error msg="declined"', "error"],
  ["INFOrmation for all", undefined],
  ["An ERROR in the middle of a text", undefined],
  ["errors: 0", undefined],
  ["Warning signs are everywhere", undefined],
  ['{"msg":"no level"}', undefined],
  ["", undefined],
])("%s", (text, level) => {
  expect(levelOf(text)).toBe(level);
});

function lines(...texts: readonly string[]): LogLine[] {
  return texts.map((text, index) => ({
    key: `1-${index}`,
    position: 1,
    step: text.startsWith("@") ? "other" : "a",
    stream: "stderr",
    time: "",
    text: text.replace(/^@/, ""),
  }));
}

test("keeps serious lines with the stack traces below them", () => {
  const shown = linesFrom(
    "warning",
    lines(
      "printed",
      "INFO:root:begins",
      "  with more",
      "ERROR:root:declined",
      "Traceback (most recent call last):",
      "@INFO:root:elsewhere",
      '  File "pay.py", line 3, in main',
      "ValueError: no money",
      "printed after it",
      "WARNING:root:slow",
      "DEBUG:root:done",
    ),
  );
  expect(shown.map((line) => line.text)).toEqual([
    "ERROR:root:declined",
    "Traceback (most recent call last):",
    '  File "pay.py", line 3, in main',
    "ValueError: no money",
    "WARNING:root:slow",
  ]);
});
