import { result } from "#/api/client.ts";
import { ProblemError } from "#/api/problem.ts";
import type { Schedule } from "#/api/types.ts";
import { LOCAL_TIME, NUMBER, present } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import type { CurrentWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { schedules } = words;

export function pauseSchedule({ api }: CurrentWorkspace, { path, paused }: Schedule): FormAction {
  return {
    label: paused ? words.actions.resume : words.actions.pause,
    help: paused ? schedules.resumeHelp : schedules.pauseHelp,
    role: "developer",
    place: { path },
    act: async () => {
      await result(api.POST(paused ? "/schedules:resume" : "/schedules:pause", { body: { path } }));
      return null;
    },
    command: () => ["schedules", paused ? "resume" : "pause", path],
  };
}

/** Starts a run now; the run, or why there is none, is told by `onStart`. */
export function triggerSchedule(
  { api }: CurrentWorkspace,
  { path }: Schedule,
  onStart: (run: string) => void,
): FormAction {
  return {
    label: schedules.trigger,
    help: schedules.triggerHelp,
    role: "runner",
    place: { path },
    kind: "primary",
    act: async (_, key) => {
      const params = { header: { "Idempotency-Key": key } };
      const start = await result(api.POST("/schedules:trigger", { params, body: { path } }));
      if (start.run_id === undefined || start.run_id === "") {
        return start.reason ?? schedules.states[start.state];
      }
      onStart(start.run_id);
      return null;
    },
    command: () => ["schedules", "trigger", path],
  };
}

export function backfillSchedule({ api }: CurrentWorkspace, { path }: Schedule): FormAction {
  return {
    label: schedules.backfill,
    help: schedules.backfillHelp,
    role: "developer",
    place: { path },
    fields: [
      { name: "from", label: schedules.from, kind: LOCAL_TIME, isRequired: true },
      { name: "to", label: schedules.to, kind: LOCAL_TIME, isRequired: true },
      { name: "parallel", label: schedules.parallel, kind: NUMBER, initial: "4" },
    ],
    act: async ({ from, to, parallel }) => {
      const body = { path, from: String(from), to: String(to), ...present("parallel", parallel as number | undefined) };
      await result(api.POST("/schedules:backfill", { body }));
      return null;
    },
    command: ({ from, to, parallel }) => [
      "schedules",
      "backfill",
      path,
      "--from",
      from ? new Date(from).toISOString() : "TIME",
      "--to",
      to ? new Date(to).toISOString() : "TIME",
      ...(parallel ? ["--parallel", parallel] : []),
    ],
  };
}

export function deleteSchedule({ api }: CurrentWorkspace, { path }: Schedule, onGone: () => void): FormAction {
  return {
    label: words.common.delete,
    title: schedules.deleteTitle(path),
    help: schedules.deleteHelp,
    role: "developer",
    place: { path },
    kind: "danger",
    act: async () => {
      await result(api.DELETE("/schedules/{path}", { params: { path: { path } } })).catch(ignoreGone);
      onGone();
      return null;
    },
    command: () => ["schedules", "delete", path],
  };
}

/** What somebody else has deleted meanwhile is as good as deleted. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof ProblemError && error.problem.status === 404)) {
    throw error;
  }
}
