import { expect, test } from "vitest";
import type { IterationCounts, Step, StepState } from "#/api/types.ts";
import type { FlowDocument } from "#/pages/definitions/flow_document.ts";
import { reuseAfter } from "#/pages/graph/reuse.ts";

function steps(states: Readonly<Record<string, StepState>>, loops: Readonly<Record<string, IterationCounts>> = {}) {
  return new Map(
    Object.entries(states).map(([key, state]): [string, Step] => [
      key,
      { job_id: "", key, kind: "script", state, attempt: 1, ...(loops[key] ? { iterations: loops[key] } : {}) },
    ]),
  );
}

const shop: FlowDocument = {
  steps: [
    { id: "fetch" },
    { id: "try", needs: ["fetch"], on_failure: "continue" },
    { id: "charge", needs: ["fetch"], for_each: "items", parallelism: 5 },
    { id: "report", needs: ["charge", "try"] },
  ],
};
const sequential: FlowDocument = { steps: [{ id: "charge", for_each: "items" }, { id: "report" }] };
const nested: FlowDocument = {
  steps: [
    { id: "load" },
    { id: "other", needs: [] },
    {
      id: "count",
      for_each: "items",
      parallelism: 2,
      needs: ["load"],
      steps: [{ id: "split" }, { id: "sum" }, { id: "store" }],
    },
    { id: "report", needs: ["count", "other"] },
  ],
};
const branches: FlowDocument = {
  steps: [
    {
      id: "choose",
      switch: { cases: [{ steps: [{ id: "a" }, { id: "b" }] }], default: { steps: [{ id: "c" }] } },
    },
    { id: "after" },
  ],
};
const hooked: FlowDocument = {
  steps: [
    { id: "build" },
    { id: "deploy", script: "deploy.py", before: { script: "lock.py" }, after: { script: "unlock.py" } },
    { id: "tell" },
  ],
};
const hookedStates = {
  build: "succeeded",
  deploy: "failed",
  "deploy.~before": "succeeded",
  "deploy.~run": "succeeded",
  "deploy.~after": "failed",
} as const;
const group: FlowDocument = {
  steps: [
    { id: "fetch" },
    {
      id: "make",
      same_worker: true,
      parallel: { branches: [{ steps: [{ id: "compile" }, { id: "link" }] }] },
    },
    { id: "ship" },
  ],
};
const COUNTS = { total: 100, queued: 0, running: 0, succeeded: 90, failed: 8, canceled: 1, skipped: 1 };
const done = { fetch: "succeeded", try: "failed", charge: "succeeded", report: "succeeded" } as const;
const charged = Object.fromEntries([0, 1, 2, 3].map((at) => [`charge[${at}]`, "succeeded" as const]));

test.each([
  [
    "an iteration keeps the others, and a failure that the flow tolerates",
    shop,
    "charge[2]",
    steps({ ...done, ...charged }),
    {
      reused: ["fetch", "try", "charge[0]", "charge[1]", "charge[3]"],
      again: ["charge[2]", "report"],
      around: ["charge"],
    },
  ],
  [
    "an iteration that failed runs again beside the chosen one",
    shop,
    "charge[2]",
    steps({ ...done, ...charged, "charge[0]": "failed" }),
    {
      reused: ["fetch", "try", "charge[1]", "charge[3]"],
      again: ["charge[2]", "report", "charge[0]"],
      around: ["charge"],
    },
  ],
  [
    "later iterations of a sequential loop run again",
    sequential,
    "charge[1]",
    steps({ ...charged, charge: "succeeded", report: "succeeded" }),
    { reused: ["charge[0]"], again: ["charge[1]", "report", "charge[2]", "charge[3]"], around: ["charge"] },
  ],
  [
    "what has failed or not begun runs again, with what follows it",
    {
      steps: [{ id: "a" }, { id: "bad", needs: [] }, { id: "later", needs: ["bad"] }, { id: "idle", needs: ["later"] }],
    },
    "a",
    steps({ a: "succeeded", bad: "failed", later: "succeeded" }),
    { reused: [], again: ["a", "bad", "later", "idle"], around: [] },
  ],
  [
    "a step inside an iteration keeps what is before it there",
    nested,
    "count[1].sum",
    steps({
      load: "succeeded",
      other: "succeeded",
      count: "succeeded",
      report: "succeeded",
      "count[0].split": "succeeded",
      "count[0].sum": "succeeded",
      "count[1].split": "succeeded",
      "count[1].sum": "succeeded",
      "count[1].store": "succeeded",
    }),
    {
      reused: ["load", "other", "count[0]", "count[1].split"],
      again: ["count[1].sum", "report", "count[1].store"],
      around: ["count", "count[1]"],
    },
  ],
  [
    "a step of a branch has only its branch beside it",
    branches,
    "choose.b",
    steps({ choose: "succeeded", "choose.a": "succeeded", "choose.b": "succeeded", after: "succeeded" }),
    { reused: ["choose.a"], again: ["choose.b", "after"], around: ["choose"] },
  ],
  [
    "the last hook of a step runs alone",
    hooked,
    "deploy.~after",
    steps(hookedStates),
    {
      reused: ["build", "deploy.~before", "deploy.~run"],
      again: ["deploy.~after", "tell"],
      around: ["deploy"],
    },
  ],
  [
    "steps that share a folder begin with the first",
    group,
    "make.link",
    steps({ fetch: "succeeded", make: "succeeded", "make.compile": "succeeded", "make.link": "succeeded" }),
    { reused: ["fetch"], again: ["make", "ship"], around: [] },
  ],
  [
    "a run that shares a folder begins with its first steps",
    { ...group, same_worker: true },
    "ship",
    steps({ fetch: "succeeded", make: "succeeded", ship: "failed" }),
    { reused: [], again: ["fetch", "make", "ship"], around: [] },
  ],
  [
    "a step that the version lacks is all that is known",
    shop,
    "gone",
    steps({}),
    { reused: [], again: ["gone"], around: [] },
  ],
])("%s", (_, document, key, known, expected) => {
  expect(reuseAfter(document, key, known)).toEqual({ ...expected, loops: [] });
});

test.each(["deploy.~run", "deploy.~before", "deploy"])("a step with hooks begins with the first: %s", (key) => {
  expect(reuseAfter(hooked, key, steps(hookedStates))).toEqual({
    reused: ["build"],
    again: ["deploy", "tell"],
    around: [],
    loops: [],
  });
});

test.each([
  ["parallel", shop, "charge[2]", "succeeded", { reused: 90, again: 9 }],
  ["parallel, after a failure", shop, "charge[2]", "failed", { reused: 91, again: 8 }],
  ["sequential", sequential, "charge[40]", "succeeded", { reused: 40, again: 59 }],
] as const)("counts the iterations of a large loop: %s", (_, document, key, state, numbers) => {
  const known = steps({ charge: "failed", [key]: state }, { charge: COUNTS });
  expect(reuseAfter(document, key, known).loops).toEqual([{ loop: "charge", ...numbers }]);
});
