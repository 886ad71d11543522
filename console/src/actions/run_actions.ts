import type { Action } from "#/actions/action.ts";
import { cancelRun } from "#/actions/cancel_run.ts";
import { pauseRun } from "#/actions/pause_run.ts";
import { rerunStep } from "#/actions/rerun_step.ts";
import { restartRun } from "#/actions/restart_run.ts";
import { resumeRun } from "#/actions/resume_run.ts";
import { retryRun } from "#/actions/retry_run.ts";
import { sendSignal } from "#/actions/send_signal.ts";
import { skipStep } from "#/actions/skip_step.ts";

/** What the page of a run offers, in this order. */
export const RUN_ACTIONS: readonly Action[] = [retryRun, restartRun, pauseRun, resumeRun, sendSignal, cancelRun];

/** What the panel of a step offers. */
export const STEP_ACTIONS: readonly Action[] = [rerunStep, skipStep];
