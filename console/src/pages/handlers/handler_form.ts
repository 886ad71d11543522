import { result } from "#/api/client.ts";
import type { EventHandler, EventHandlerDefinition } from "#/api/types.ts";
import { choice, type FormField, type FormValues, JSON_VALUE, TEXT, textOf } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import type { CurrentWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { handlers, schedules, triggers } = words;

const EXAMPLE_ACTIONS = '[{"action": "start_workflow", "start_workflow": {"name": "ship"}}]';

/** Creates an event handler, or changes one; what the form does not show stays as it is. */
export function setHandler(workspace: CurrentWorkspace, before?: EventHandler): FormAction {
  return {
    label: before === undefined ? handlers.create : schedules.edit,
    role: "developer",
    ...(before === undefined ? {} : { place: { path: before.path } }),
    kind: before === undefined ? "primary" : "plain",
    help: triggers.actsForYou,
    fields: fieldsOf(before),
    act: async (values) => {
      await put(workspace, before?.path ?? String(values.path), definitionOf(values, before));
      return null;
    },
    command: () => ["event-handlers", "apply", "handler.json"],
  };
}

/** Lets a handler get messages, or lets it get none. */
export function activateHandler(workspace: CurrentWorkspace, { path, active, definition }: EventHandler): FormAction {
  return {
    label: active ? handlers.deactivate : handlers.activate,
    help: active ? handlers.deactivateHelp : triggers.actsForYou,
    role: "developer",
    place: { path },
    act: async () => {
      await put(workspace, path, { ...definition, active: !active });
      return null;
    },
    command: () => ["event-handlers", "apply", "handler.json"],
  };
}

export function deleteHandler({ api }: CurrentWorkspace, { path }: EventHandler, onGone: () => void): FormAction {
  return {
    label: words.common.delete,
    title: schedules.deleteTitle(path),
    help: handlers.deleteHelp,
    role: "developer",
    place: { path },
    kind: "danger",
    act: async () => {
      await result(api.DELETE("/event-handlers/{path}", { params: { path: { path } } }));
      onGone();
      return null;
    },
    command: () => ["event-handlers", "delete", path],
  };
}

async function put({ api }: CurrentWorkspace, path: string, body: EventHandlerDefinition): Promise<void> {
  await result(api.PUT("/event-handlers/{path}", { params: { path: { path } }, body }));
}

function fieldsOf(before: EventHandler | undefined): readonly FormField[] {
  const { event, condition, actions } = before?.definition ?? {};
  return [
    ...(before === undefined
      ? [{ name: "path", label: schedules.path, kind: TEXT, isRequired: true, placeholder: "shop/ship_when_paid" }]
      : []),
    {
      name: "event",
      label: handlers.event,
      help: handlers.eventHelp,
      kind: TEXT,
      isRequired: true,
      placeholder: "conductor:order:paid",
      initial: event ?? "",
    },
    {
      name: "condition",
      label: handlers.condition,
      help: handlers.conditionHelp,
      kind: TEXT,
      placeholder: "$.amount > 0",
      initial: condition ?? "",
    },
    {
      name: "actions",
      label: handlers.actions,
      help: handlers.actionsHelp,
      kind: JSON_VALUE,
      isRequired: true,
      placeholder: EXAMPLE_ACTIONS,
      initial: actions === undefined ? "" : JSON.stringify(actions, null, 2),
    },
    {
      name: "active",
      label: handlers.messages,
      kind: choice([
        ["yes", handlers.getsMessages],
        ["no", handlers.getsNone],
      ]),
      initial: before?.active === false ? "no" : "yes",
    },
  ];
}

function definitionOf(values: FormValues, before: EventHandler | undefined): EventHandlerDefinition {
  const { condition: _, ...kept } = before?.definition ?? {};
  const condition = textOf(values, "condition");
  return {
    ...kept,
    event: String(values.event),
    actions: values.actions as NonNullable<EventHandlerDefinition["actions"]>,
    active: values.active === "yes",
    ...(condition === undefined ? {} : { condition }),
  };
}
