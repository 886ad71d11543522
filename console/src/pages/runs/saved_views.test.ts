import { expect, test } from "vitest";
import { parseViews, VIEWS_MAX, withoutView, withView } from "#/pages/runs/saved_views.ts";

const failed = { name: "failed", filters: { state: ["failed" as const] } };

test("keeps views, each name once", () => {
  const views = withView(withView([], failed), { name: "all", filters: {} });
  expect(withView(views, { name: "failed", filters: { name: "shop" } })).toEqual([
    { name: "all", filters: {} },
    { name: "failed", filters: { name: "shop" } },
  ]);
  expect(withoutView(views, "all")).toEqual([failed]);
  expect(parseViews(JSON.stringify(views))).toEqual(views);
});

test("drops what is no view, and views beyond the limit", () => {
  expect(parseViews('[1, null, {"name": ""}, {"name": "a", "filters": {"state": ["gone"], "x": 1}}]')).toEqual([
    { name: "a", filters: {} },
  ]);
  expect([parseViews(null), parseViews("{"), parseViews("{}")]).toEqual([[], [], []]);
  const many = [...Array(VIEWS_MAX + 5).keys()].map((number) => ({ name: `${number}`, filters: {} }));
  expect(many.reduce(withView, [] as ReturnType<typeof parseViews>)).toHaveLength(VIEWS_MAX);
});
