import { expect, test } from "vitest";
import { cronText } from "#/pages/schedules/cron_text.ts";

test.each([
  ["30 2 * * *", "daily at 02:30"],
  ["5 * * * *", "hourly at minute 5"],
  ["*/15 * * * *", "every 15 minutes"],
  ["0 9 * * 1-5", "Mon–Fri at 09:00"],
  ["0 9 * * mon,7", "Mon, Sun at 09:00"],
  ["0 6 1 * *", "on day 1 of each month at 06:00"],
])("puts %s into words", (expression, text) => {
  expect(cronText(expression)).toBe(text);
});

test.each(["0 9 1 1 *", "0 9-17 * * *", "0 9 * * 5#L", "0 0 9 * * *", "1,2 * * * *", "0 9 13 * 5"])(
  "leaves %s as it is",
  (expression) => {
    expect(cronText(expression)).toBeUndefined();
  },
);
