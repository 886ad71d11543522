import { expect, test } from "vitest";
import type { Run } from "#/api/types.ts";
import { bulkTargets, selectionOptions } from "#/pages/runs/bulk.ts";

const loaded = [{ id: "1" }, { id: "2" }] as Run[];
const flows = new Set(["shop/pay"]);

test("names all that match by the filter of the list", () => {
  expect(bulkTargets("cancel", {}, loaded, flows, 0)).toEqual({ filter: {} });
  expect(bulkTargets("retry", { name: "shop/pay", state: ["failed"], since: "1h" }, loaded, flows, 3_600_000)).toEqual({
    filter: { flow: "shop/pay", states: ["failed"], created_from: "1970-01-01T00:00:00.000Z" },
  });
  expect(bulkTargets("restart", {}, loaded, flows, 0)).toEqual({
    filter: { states: ["succeeded", "failed", "canceled"] },
  });
});

test("names the loaded runs if the server cannot filter alike", () => {
  const ids = { run_ids: ["1", "2"] };
  expect(bulkTargets("cancel", { name: "some.py" }, loaded, flows, 0)).toEqual(ids);
  expect(bulkTargets("cancel", { input: ["a=1"] }, loaded, flows, 0)).toEqual(ids);
});

test("selects the same runs by options of the command", () => {
  expect(selectionOptions(bulkTargets("cancel", {}, loaded, flows, 0))).toEqual(["--all"]);
  expect(selectionOptions(bulkTargets("rerun", { name: "shop/pay" }, loaded, flows, 0))).toEqual([
    "--flow",
    "shop/pay",
    "--state",
    "failed",
  ]);
  expect(selectionOptions(bulkTargets("cancel", { input: ["a=1"] }, loaded, flows, 0))).toEqual(["1", "2"]);
});
