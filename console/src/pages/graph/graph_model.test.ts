import { expect, test } from "vitest";
import type { Step } from "#/api/types.ts";
import { flowGraph, statuses } from "#/pages/graph/graph_model.ts";

test("draws an edge from each need, else from the step before", () => {
  const graph = flowGraph({
    steps: [
      { id: "a", script: "a.py" },
      { id: "b", needs: [], script: "b.py" },
      { id: "c", script: "c.py" },
      { id: "d", needs: ["a", "c"], for_each: [], steps: [{ id: "x" }, { id: "y", needs: ["x", "a"] }] },
    ],
  });
  expect(graph.edges.map(({ from, to }) => `${from}>${to}`)).toEqual(["b>c", "a>d", "c>d", "d.x>d.y"]);
  expect(graph.nodes[3]).toMatchObject({ kind: "for_each", children: [{ key: "d.x" }, { key: "d.y" }] });
});

test("shows branches around their steps, whose keys do not name them", () => {
  const branches = { cases: [{ equals: "express", steps: [{ id: "fast" }] }], default: { steps: [{ id: "slow" }] } };
  const [ship] = flowGraph({ steps: [{ id: "ship", switch: branches }] }).nodes;
  expect(ship?.children.map((branch) => [branch.label, branch.children[0]?.key])).toEqual([
    ["= express", "ship.fast"],
    ["default", "ship.slow"],
  ]);
});

test("shows branches without steps, and the conditions of cases", () => {
  const cases = [
    { equals: 0, steps: [] },
    { when: `$\{{ inputs.n > 3 }}`, steps: [{ id: "large" }] },
  ];
  const [pick] = flowGraph({ steps: [{ id: "pick", switch: { cases } }] }).nodes;
  expect(pick?.children.map(({ label, kind, children }) => [label, kind, children.length])).toEqual([
    ["= 0", "case", 0],
    ["inputs.n > 3", "case", 1],
  ]);
});

test("shows flows inside steps: those that are written there, and those that were opened", () => {
  const steps = [
    { id: "x", flow: "demo/sub" },
    { id: "y", flow: { steps: [{ id: "z" }], failure_flow: "tell" } },
    { id: "r", flow: `shops/$\{{ item }}`, as: "run" },
  ];
  const closed = flowGraph({ steps });
  expect(closed.nodes.map(({ flow, isRun, children }) => [flow, isRun, children.map(({ key }) => key)])).toEqual([
    ["demo/sub", undefined, []],
    [undefined, undefined, ["y.~steps.z"]],
    [undefined, true, []],
  ]);
  const inner = { steps: [{ id: "first" }, { id: "second" }] };
  const opened = flowGraph({ steps }, new Map([["x", inner]]));
  expect(opened.nodes[0]?.children.map(({ key }) => key)).toEqual(["x.first", "x.second"]);
  expect(opened.edges).toContainEqual({ from: "x.first", to: "x.second" });
});

test("sums up the iterations of a loop", () => {
  const step = (key: string, state: Step["state"]): Step => ({ job_id: key, key, kind: "script", state, attempt: 1 });
  const found = statuses([
    step("l[0].x", "succeeded"),
    step("l[1].x", "failed"),
    step("l[2].x", "running"),
    step("a", "succeeded"),
  ]);
  expect(found.get("l.x")).toEqual({ state: "failed", ended: 2, all: 3, step: "l[1].x" });
  expect(found.get("a")).toMatchObject({ state: "succeeded", all: 1 });
});

test("does not count a loop among its iterations", () => {
  const step = (key: string, state: Step["state"]): Step => ({ job_id: key, key, kind: "script", state, attempt: 1 });
  const small = [step("l[0]", "succeeded"), step("l[1]", "failed"), step("l", "succeeded")];
  expect(statuses(small).get("l")).toEqual({ state: "succeeded", ended: 2, all: 2, step: "l[1]" });
  const nested = [step("o[0].i[0]", "succeeded"), step("o[0].i[1]", "running"), step("o[0].i", "running")];
  expect(statuses(nested).get("o.i")).toMatchObject({ state: "running", ended: 1, all: 2 });
});
