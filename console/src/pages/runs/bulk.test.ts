import { expect, test } from "vitest";
import { bulkFilter, selectionOptions } from "#/pages/runs/bulk.ts";

test("names all that match by the filter of the list", () => {
  expect(bulkFilter("cancel", {}, 0)).toEqual({});
  expect(bulkFilter("retry", { name: "shop/pay", state: ["failed"], since: "1h" }, 3_600_000)).toEqual({
    name: "shop/pay",
    states: ["failed"],
    created_from: "1970-01-01T00:00:00.000Z",
  });
  expect(bulkFilter("restart", {}, 0)).toEqual({ states: ["succeeded", "failed", "canceled"] });
  const found = { input: ["a=1", "b~c"], output: ["d=2"], tag: "gpu", started_by: "ada" };
  expect(bulkFilter("cancel", found, 0)).toEqual(found);
});

test("selects the same runs by options of the command", () => {
  expect(selectionOptions(bulkFilter("cancel", {}, 0))).toEqual(["--all"]);
  expect(selectionOptions(bulkFilter("rerun", { name: "shop/pay" }, 0))).toEqual([
    "--name",
    "shop/pay",
    "--state",
    "failed",
  ]);
  expect(selectionOptions(bulkFilter("cancel", { input: ["a=1", "b~c"], output: ["d=2"], tag: "gpu" }, 0))).toEqual([
    "--with-input",
    "a=1",
    "--with-input",
    "b~c",
    "--with-output",
    "d=2",
    "--tag",
    "gpu",
  ]);
  expect(selectionOptions(bulkFilter("cancel", { started_by: "webhook shop/order" }, 0))).toEqual([
    "--started-by",
    "webhook shop/order",
  ]);
});
