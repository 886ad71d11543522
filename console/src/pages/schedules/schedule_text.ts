import type { Schedule } from "#/api/types.ts";
import { lengthText } from "#/parts/time.ts";
import { words } from "#/words/words.ts";

/** When a schedule fires, in one line. */
export function timingText({ cron, every }: Pick<Schedule, "cron" | "every">): string {
  const parts = [...(cron ?? []), ...(every === undefined ? [] : [words.schedules.every(lengthText(every) ?? every)])];
  return parts.join(" · ");
}

/** What a schedule or trigger starts: the path of a flow or script, or the name of a handler. */
export function targetText(run: unknown): string {
  const target = (run as { target?: Record<string, string> } | undefined)?.target ?? {};
  return Object.values(target)[0] ?? "";
}
