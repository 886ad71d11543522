import { result, shared } from "#/api/client.ts";
import type { Worker } from "#/api/types.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { words } from "#/words/words.ts";

/** Lets a worker for trials crash, so that people see that nothing is lost. */
export function killWorker({ session_id = "", name = "" }: Worker): FormAction {
  return {
    label: words.workers.kill,
    title: words.workers.killTitle(name),
    help: words.workers.killHelp,
    role: "owner",
    isShared: true,
    kind: "danger",
    act: async () => {
      await result(shared.POST("/api/v1/workers:kill", { body: { session_id } }));
      return null;
    },
    command: () => ["workers", "kill", session_id],
  };
}
