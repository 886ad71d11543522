import type { Action } from "#/actions/action.ts";
import { RerunForm } from "#/pages/run/rerun_form.tsx";
import { words } from "#/words/words.ts";

/** Starts a new run at the selected step, which reuses what does not come after it. */
export const rerunStep: Action = {
  id: "rerun",
  label: words.actions.rerun,
  role: "developer",
  needsInput: true,
  needsStep: true,
  isOffered: ({ step }) => step !== undefined && step.key !== "",
  Form: RerunForm,
};
