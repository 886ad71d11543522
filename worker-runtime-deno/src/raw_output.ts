/** Brings what programs print past the runtime to the log of the job that has started them. */

import { host } from "./host.ts";
import { allProgramsAreOfJobs } from "./job_scope.ts";

/** Asks the host on behalf of the job that ends. */
export type Ask = (method: string, args: Record<string, unknown>) => Promise<unknown>;

/**
 * Ends all programs that descend from those of the job, and waits until the host has read what they have printed. A program
 * that inherits its output writes to the pipe of the process, whose bytes do not tell which job they belong to.
 *
 * @param firstProgramTime when the job has started its first program, in milliseconds since 1970
 * @returns a line for the log of the job, or an empty string
 */
export async function endPrograms(firstProgramTime: number, ask: Ask): Promise<string> {
  try {
    // The host finds programs by their age. Those of the script may have begun others while the job ran.
    const stopped = allProgramsAreOfJobs() ? Number(await ask("programs.stop", { since_ms: firstProgramTime })) : 0;
    const mark = crypto.randomUUID();
    host().writeRaw(`\0millrace:${mark}\n`);
    await ask("output.flush", { mark });
    if (stopped === 0) return "";
    return `Stopped ${stopped} ${stopped === 1 ? "process" : "processes"} that programs of the job had left behind.\n`;
  } catch { // The job has been stopped, or an older worker does not know the call.
    return "";
  }
}
