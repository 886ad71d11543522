/**
 * Environment variables by which scripts of Windmill know their job. Only scripts that name one of them get them;
 * docs/how-to/run-windmill-scripts.md has the list.
 */

import { host } from "./host.ts";
import type { JobMessage } from "./messages.ts";

const PREFIX = "WM_";

/**
 * Whether a script may name one of the variables.
 *
 * @param text that of the script
 * @param tree the folder with all files of the version; undefined if there is only the script
 */
export async function mayNameVariables(text: string, tree: string | undefined): Promise<boolean> {
  if (text.includes(PREFIX)) return true;
  if (tree === undefined) return false;
  const texts = await Promise.all(host().filesBelow(tree).map((file) => host().readText(file)));
  return texts.some((other) => other.includes(PREFIX));
}

/** Sets the variables for a job. A script that may not set one does not get it. */
export function setVariables({ id, run_id: run, step }: JobMessage): void {
  const flow = step === "" ? "" : run;
  const variables = {
    WM_WORKSPACE: host().variable("MILLRACE_WORKSPACE") ?? "",
    WM_JOB_ID: id,
    WM_FLOW_JOB_ID: flow,
    WM_ROOT_FLOW_JOB_ID: flow,
    WM_FLOW_STEP_ID: step,
  };
  for (const [name, value] of Object.entries(variables)) {
    try {
      host().setVariable(name, value);
    } catch { /* The permissions of the script leave it out. */ }
  }
}
