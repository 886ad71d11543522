import { result } from "#/api/client.ts";
import type { NewSchedule, Schedule } from "#/api/types.ts";
import {
  choice,
  type FormField,
  type FormTexts,
  type FormValues,
  LINES,
  OBJECT,
  present,
  TEXT,
} from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { readableValues } from "#/forms/reading.ts";
import { scheduleCommand } from "#/pages/schedules/schedule_command.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { schedules } = words;

const OVERLAPS = ["skip", "buffer_one", "buffer_all", "cancel_running", "allow"] as const;
const TARGETS = ["flow", "script", "handler"] as const;

/** Creates a schedule of a flow or script, from the page of which it is asked for. */
export function scheduleTarget(
  workspace: CurrentWorkspace,
  kind: "flow" | "script",
  target: string,
  onCreated: (path: string) => void,
): FormAction {
  const action = setSchedule(workspace);
  const initial: FormTexts = { path: target.replace(/\.\w+$/, ""), kind, target };
  return {
    ...action,
    // The form proposes the path of the target, in whose folder the schedule stands then.
    place: { path: target },
    label: schedules.ofThis,
    kind: "plain",
    fields: (action.fields ?? []).map((field) => {
      const text = initial[field.name];
      return text === undefined ? field : { ...field, initial: text };
    }),
    act: async (values, key) => {
      const problem = await action.act(values, key);
      if (problem === null) {
        onCreated(String(values.path));
      }
      return problem;
    },
  };
}

/** Creates a schedule, or changes one; what the form does not show stays as it is. */
export function setSchedule(workspace: CurrentWorkspace, before?: Schedule): FormAction {
  const fields = fieldsOf(before);
  return {
    label: before === undefined ? schedules.create : schedules.edit,
    role: "developer",
    ...(before === undefined ? {} : { place: { path: before.path } }),
    kind: before === undefined ? "primary" : "plain",
    help: before === undefined ? schedules.createHelp : schedules.editHelp,
    fields,
    act: async (values) => {
      const path = before?.path ?? String(values.path);
      await result(
        workspace.api.PUT("/schedules/{path}", { params: { path: { path } }, body: bodyOf(values, before) }),
      );
      return null;
    },
    command: (texts) =>
      scheduleCommand(before?.path ?? (texts.path || "PATH"), bodyOf(readableValues(fields, texts), before)),
  };
}

function fieldsOf(before: Schedule | undefined): readonly FormField[] {
  const run = (before?.run ?? {}) as { target?: Record<string, string>; input?: unknown };
  const [kind, target] = Object.entries(run.target ?? { flow: "" })[0] ?? ["flow", ""];
  return [
    ...(before === undefined
      ? [{ name: "path", label: schedules.path, kind: TEXT, isRequired: true, placeholder: "reports/nightly" }]
      : []),
    {
      name: "kind",
      label: schedules.targetKind,
      kind: choice(TARGETS.map((name) => [name, schedules.targets[name]])),
      initial: kind,
    },
    {
      name: "target",
      serverName: "run.target",
      label: schedules.target,
      kind: TEXT,
      isRequired: true,
      initial: target,
    },
    {
      name: "input",
      serverName: "run.input",
      label: words.actions.input,
      kind: OBJECT,
      initial: run.input === undefined ? "" : JSON.stringify(run.input, null, 2),
    },
    {
      name: "cron",
      label: schedules.cron,
      help: schedules.cronHelp,
      kind: LINES,
      placeholder: "30 2 * * *",
      initial: (before?.cron ?? []).join("\n"),
    },
    { name: "every", label: schedules.interval, kind: TEXT, placeholder: "15m", initial: before?.every ?? "" },
    {
      name: "zone",
      label: schedules.zone,
      help: schedules.zoneHelp,
      kind: TEXT,
      placeholder: "UTC",
      initial: before?.zone ?? (before === undefined ? Intl.DateTimeFormat().resolvedOptions().timeZone : ""),
    },
    {
      name: "exclude",
      label: schedules.exclude,
      kind: LINES,
      placeholder: "2026-12-24..2027-01-02",
      initial: (before?.exclude ?? []).join("\n"),
    },
    {
      name: "overlap",
      label: schedules.overlap,
      kind: choice(OVERLAPS.map((name) => [name, schedules.overlaps[name]])),
      initial: before?.overlap ?? "skip",
    },
    { name: "description", label: schedules.description, kind: TEXT, initial: before?.description ?? "" },
  ];
}

function bodyOf(values: FormValues, before: Schedule | undefined): NewSchedule {
  const { start, end, catch_up, jitter, time_input } = before ?? {};
  const { input: _, ...rest } = (before?.run ?? {}) as Record<string, unknown>;
  const target = { [String(values.kind)]: String(values.target ?? "") };
  const run = { ...rest, target, ...present("input", values.input) };
  return {
    ...present("start", start),
    ...present("end", end),
    ...present("catch_up", catch_up),
    ...present("jitter", jitter),
    ...present("time_input", time_input),
    ...(pick(values, ["cron", "every", "zone", "exclude", "overlap", "description"]) as Partial<NewSchedule>),
    run: run as NewSchedule["run"],
  };
}

function pick(values: FormValues, names: readonly string[]): FormValues {
  return Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
}
