import { expect, test } from "vitest";
import { detailsOf, isFor } from "#/pages/approvals/wait_details.ts";

test("reads what authors have said, whatever they wrote", () => {
  expect(detailsOf({ details: { title: "Ship?", form: { type: "object" }, assignees: ["ann", 7] } })).toEqual({
    title: "Ship?",
    description: undefined,
    form: { type: "object" },
    assignees: ["ann", "7"],
  });
  for (const details of [undefined, null, 1, "text", [], { title: 3, form: "x", assignees: {} }]) {
    expect(detailsOf({ details })).toEqual({
      title: undefined,
      description: undefined,
      form: undefined,
      assignees: undefined,
    });
  }
});

test("is for everybody unless people are named", () => {
  expect(isFor(detailsOf({ details: {} }), "eve")).toBe(true);
  expect(isFor(detailsOf({ details: { assignees: [] } }), "eve")).toBe(false);
  expect(isFor(detailsOf({ details: { assignees: ["ann"] } }), "ann")).toBe(true);
});
