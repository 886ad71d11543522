import { expect, test } from "vitest";
import { zoneTimes } from "#/pages/schedules/zone_times.ts";

test("notes where the clocks of the zone change between two times", () => {
  const days = ["2026-03-28T01:30:00Z", "2026-03-29T00:30:00Z", "2026-03-30T00:30:00Z"];
  expect(zoneTimes(days, "Europe/Berlin", "en").map((time) => time.shiftMinutes)).toEqual([0, 0, 60]);
  expect(zoneTimes(["2026-10-24T00:30:00Z", "2026-10-25T01:30:00Z"], "Europe/Berlin", "en")[1]).toMatchObject({
    shiftMinutes: -60,
    text: expect.stringContaining("2:30:00"),
  });
  expect(zoneTimes(days, "UTC", "en").every((time) => time.shiftMinutes === 0)).toBe(true);
});

test("writes times in UTC if the browser does not know the zone", () => {
  expect(zoneTimes(["2026-03-28T01:30:00Z"], "Mars/Olympus", "en")[0]?.text).toContain("1:30:00");
});
