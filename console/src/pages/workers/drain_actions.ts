import { result, shared } from "#/api/client.ts";
import type { Worker } from "#/api/types.ts";
import { present, TEXT, textOf } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { words } from "#/words/words.ts";

/** Lets a worker get no more jobs. */
export function drainWorker({ session_id = "", name = "" }: Worker): FormAction {
  return {
    label: words.workers.drain,
    title: words.workers.drainTitle(name),
    help: words.workers.drainHelp,
    role: "owner",
    isShared: true,
    fields: [{ name: "reason", label: words.workers.reason, help: words.workers.reasonHelp, kind: TEXT }],
    act: async (values) => {
      const body = { session_id, ...present("reason", textOf(values, "reason")) };
      await result(shared.POST("/api/v1/workers:drain", { body }));
      return null;
    },
    command: ({ reason }) => ["workers", "drain", session_id, ...(reason ? ["--reason", reason] : [])],
  };
}

/** Lets a drained worker get jobs again. */
export function resumeWorker({ session_id = "", name = "" }: Worker): FormAction {
  return {
    label: words.workers.resume,
    title: words.workers.resumeTitle(name),
    help: words.workers.resumeHelp,
    role: "owner",
    isShared: true,
    kind: "primary",
    act: async () => {
      await result(shared.POST("/api/v1/workers:resume", { body: { session_id } }));
      return null;
    },
    command: () => ["workers", "resume", session_id],
  };
}
