import { result } from "#/api/client.ts";
import type { NewTrigger, Trigger, TriggerKind } from "#/api/types.ts";
import { choice, type FormField, type FormValues, JSON_VALUE, LINES, OBJECT, present, TEXT } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { readableValues } from "#/forms/reading.ts";
import { targetText } from "#/pages/schedules/schedule_text.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { triggers, schedules } = words;

/** The file that the command of a trigger reads. */
const FILE = "trigger.json";
const TARGETS = ["flow", "script", "handler"] as const;
const SCHEMES = ["standard", "github", "stripe", "slack", "basic", "token"] as const;

/** The part of a trigger that only its kind has, as the API names it. */
export function sourceOf(trigger: Trigger | undefined, kind: TriggerKind): Readonly<Record<string, unknown>> {
  return ((trigger as Record<string, unknown> | undefined)?.[kind] as Record<string, unknown> | undefined) ?? {};
}

/** What a source looks like that is written as JSON. */
const SOURCES: Readonly<Record<Exclude<TriggerKind, "webhook">, string>> = {
  event: '{"types": ["run.failed"], "event_input": "event"}',
  kafka: '{"connection": "shop/kafka", "topics": ["orders"]}',
  postgres: '{"connection": "shop/db", "table": "outbox", "channel": "outbox"}',
  mqtt: '{"connection": "shop/mqtt", "topics": ["orders/+/placed"]}',
};

/** Creates a trigger, or changes one. Webhooks have fields of their own; the source of other kinds is written as JSON. */
export function setTrigger({ api }: CurrentWorkspace, kind: TriggerKind, before?: Trigger): FormAction {
  const fields = [
    ...(before === undefined
      ? [{ name: "path", label: schedules.path, kind: TEXT, isRequired: true, placeholder: "shop/orders" }]
      : []),
    ...targetFields(before),
    ...(kind === "webhook" ? webhookFields(sourceOf(before, kind)) : [sourceField(kind, before)]),
    { name: "description", label: schedules.description, kind: TEXT, initial: before?.description ?? "" },
  ];
  return {
    label: before === undefined ? triggers.create[kind] : schedules.edit,
    role: "developer",
    ...(before === undefined ? {} : { place: { path: before.path } }),
    kind: before === undefined ? "primary" : "plain",
    help: triggers.actsForYou,
    fields,
    act: async (values) => {
      const path = before?.path ?? String(values.path);
      const body = bodyOf(values, kind, before);
      await result(api.PUT("/triggers/{kind}/{path}", { params: { path: { kind, path } }, body }));
      return null;
    },
    command: (texts) => {
      const path = before?.path ?? (texts.path || "PATH");
      const trigger = { path, ...bodyOf(readableValues(fields, texts), kind, before) };
      return {
        args: ["triggers", "apply", FILE],
        file: { name: FILE, text: JSON.stringify(trigger, null, 2) },
      };
    },
  };
}

function targetFields(before: Trigger | undefined): readonly FormField[] {
  const kind = Object.keys(before?.run.target ?? {})[0] ?? "flow";
  const input = before?.run.input;
  return [
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
      initial: targetText(before?.run),
    },
    {
      name: "input",
      serverName: "run.input",
      label: triggers.fixedInput,
      help: triggers.fixedInputHelp,
      kind: OBJECT,
      initial: input === undefined ? "" : JSON.stringify(input, null, 2),
    },
  ];
}

function sourceField(kind: Exclude<TriggerKind, "webhook">, before: Trigger | undefined): FormField {
  return {
    name: "source",
    serverName: kind,
    label: triggers.sourceFields,
    help: triggers.sourceHelp,
    kind: OBJECT,
    isRequired: true,
    placeholder: SOURCES[kind],
    initial: before === undefined ? SOURCES[kind] : JSON.stringify(sourceOf(before, kind), null, 2),
  };
}

function webhookFields(source: Readonly<Record<string, unknown>>): readonly FormField[] {
  const text = (name: string) => (source[name] === undefined ? "" : String(source[name]));
  const { secrets, scheme: _, ...rest } = source;
  const others = Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2);
  return [
    {
      name: "scheme",
      serverName: "webhook.scheme",
      label: triggers.scheme,
      kind: choice(SCHEMES.map((name) => [name, triggers.schemes[name]])),
      initial: text("scheme") || "standard",
    },
    {
      name: "secrets",
      serverName: "webhook.secrets",
      label: triggers.secrets,
      help: triggers.secretsHelp,
      kind: LINES,
      isRequired: true,
      placeholder: "shop/github",
      initial: Array.isArray(secrets) ? secrets.join("\n") : "",
    },
    {
      name: "others",
      serverName: "webhook",
      label: triggers.others,
      help: triggers.othersHelp,
      kind: OBJECT,
      placeholder: '{"parts": ["body", "headers"], "wait": "30s"}',
      initial: others,
    },
  ];
}

function bodyOf(values: FormValues, kind: TriggerKind, before: Trigger | undefined): NewTrigger {
  const { input: _, ...rest } = (before?.run ?? {}) as Record<string, unknown>;
  const target = { [String(values.kind)]: String(values.target ?? "") };
  const source =
    kind === "webhook"
      ? { ...(values.others as object | undefined), scheme: values.scheme, secrets: values.secrets }
      : values.source;
  return {
    run: { ...rest, target, ...present("input", values.input) },
    ...present("description", values.description),
    [kind]: source,
  } as NewTrigger;
}

/** Shows what a call of a webhook would become. */
export function testWebhook({ api }: CurrentWorkspace, { path }: Trigger): FormAction {
  return {
    label: triggers.test,
    help: triggers.testHelp,
    role: "viewer",
    fields: [{ name: "body", label: triggers.body, kind: JSON_VALUE, isRequired: true, initial: '{"order": 7}' }],
    act: async ({ body }) => {
      const params = { path: { path } };
      const answer = await result(api.POST("/webhook-tests/{path}", { params, body: body as never }));
      return JSON.stringify(answer, null, 2);
    },
    command: () => ["triggers", "test", path, "call.json"],
  };
}

/**
 * Starts what a webhook starts, with the input that a call with this body would give: for a call that was refused, whose body
 * nobody keeps.
 */
export function startFromCall(
  { api }: CurrentWorkspace,
  { path, run }: Trigger,
  onStarted: (run: string) => void,
): FormAction {
  return {
    label: triggers.startFromCall,
    help: triggers.startFromCallHelp,
    role: "runner",
    place: { path },
    fields: [{ name: "body", label: triggers.body, kind: JSON_VALUE, isRequired: true }],
    act: async ({ body }, key) => {
      const params = { path: { path } };
      const { input = {} } = await result(api.POST("/webhook-tests/{path}", { params, body: body as never }));
      const header = { "Idempotency-Key": key };
      onStarted((await result(api.POST("/runs", { params: { header }, body: { ...run, input } }))).id);
      return null;
    },
  };
}

export function pauseTrigger({ api }: CurrentWorkspace, { kind, path, paused }: Trigger): FormAction {
  return {
    label: paused ? words.actions.resume : words.actions.pause,
    help: paused ? triggers.actsForYou : triggers.pauseHelp,
    role: "developer",
    place: { path },
    act: async () => {
      const params = { path: { kind, path } };
      await result(api.PATCH("/triggers/{kind}/{path}", { params, body: { paused: !paused } }));
      return null;
    },
    command: () => ["triggers", paused ? "resume" : "pause", kind, path],
  };
}

export function deleteTrigger({ api }: CurrentWorkspace, { kind, path }: Trigger, onGone: () => void): FormAction {
  return {
    label: words.common.delete,
    title: schedules.deleteTitle(path),
    help: schedules.deleteHelp,
    role: "developer",
    place: { path },
    kind: "danger",
    act: async () => {
      await result(api.DELETE("/triggers/{kind}/{path}", { params: { path: { kind, path } } }));
      onGone();
      return null;
    },
    command: () => ["triggers", "delete", kind, path],
  };
}
