import { result } from "#/api/client.ts";
import type { Alert, Delivery } from "#/api/types.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import type { CurrentWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { alerts } = words;

export function pauseAlert({ api }: CurrentWorkspace, { name, paused }: Alert): FormAction {
  return {
    label: paused ? words.actions.resume : words.actions.pause,
    help: paused ? alerts.resumeHelp : alerts.pauseHelp,
    role: "admin",
    act: async () => {
      const params = { path: { name } };
      await result(
        paused ? api.POST("/alerts/{name}:resume", { params }) : api.POST("/alerts/{name}:pause", { params }),
      );
      return null;
    },
    command: () => ["alerts", paused ? "resume" : "pause", name],
  };
}

export function deleteAlert({ api }: CurrentWorkspace, { name }: Alert, onGone: () => void): FormAction {
  return {
    label: words.common.delete,
    title: words.schedules.deleteTitle(name),
    help: alerts.deleteHelp,
    role: "admin",
    kind: "danger",
    act: async () => {
      await result(api.DELETE("/alerts/{name}", { params: { path: { name } } }));
      onGone();
      return null;
    },
    command: () => ["alerts", "delete", name],
  };
}

/** Sends one message again, or all that were given up. */
export function replay({ api }: CurrentWorkspace, { name }: Alert, delivery?: Delivery): FormAction {
  return {
    label: delivery === undefined ? alerts.replayDead : alerts.replay,
    help: delivery === undefined ? alerts.replayDeadHelp : alerts.replayHelp,
    role: "admin",
    act: async () => {
      const query = delivery === undefined ? {} : { id: delivery.id };
      await result(api.POST("/alerts/{name}/deliveries:replay", { params: { path: { name }, query } }));
      return null;
    },
    command: () => ["alerts", "replay", name, ...(delivery === undefined ? [] : ["--id", delivery.id])],
  };
}
