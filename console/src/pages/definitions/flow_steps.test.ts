import { expect, test } from "vitest";
import type { FlowDocument } from "#/pages/definitions/flow_document.ts";
import { stepAt } from "#/pages/definitions/flow_steps.ts";

const document: FlowDocument = {
  steps: [
    { id: "load", script: "load.py" },
    { id: "each", for_each: "items", steps: [{ id: "sum", script: "sum.py", before: { script: "lock.py" } }] },
    {
      id: "choose",
      switch: { cases: [{ steps: [{ id: "a", script: "a.py" }] }], default: { steps: [{ id: "b", script: "b.py" }] } },
    },
  ],
};

test.each([
  ["load", "load.py"],
  ["each[2].sum", "sum.py"],
  ["each[2].sum.~run", "sum.py"],
  ["each.sum", "sum.py"],
  ["choose.b", "b.py"],
  ["choose.c", undefined],
  ["load.more", undefined],
  ["each[2].sum.~after", undefined],
  ["", undefined],
])("finds the step of %s", (key, script) => {
  expect(stepAt(document, key)?.script).toBe(script);
});
