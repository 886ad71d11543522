import type { Action } from "#/actions/action.ts";
import { RestartForm } from "#/pages/run/restart_form.tsx";
import { words } from "#/words/words.ts";

/** Starts a new run of the same version, with the same input or another one. */
export const restartRun: Action = {
  id: "restart",
  label: words.actions.restart,
  role: "runner",
  needsInput: true,
  isOffered: () => true,
  Form: RestartForm,
};
