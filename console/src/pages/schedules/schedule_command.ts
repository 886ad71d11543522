import type { NewSchedule } from "#/api/types.ts";
import type { FormCommand } from "#/forms/form_command.ts";

/** Options of `millrace schedules create` for fields that are texts. */
const TEXTS = [
  ["--every", "every"],
  ["--zone", "zone"],
  ["--start", "start"],
  ["--end", "end"],
  ["--overlap", "overlap"],
  ["--catch-up", "catch_up"],
  ["--jitter", "jitter"],
  ["--time-input", "time_input"],
  ["--description", "description"],
] as const;

const TARGETS: readonly string[] = ["flow", "script", "handler"];

/**
 * The command that sets a schedule to all of this. A command replaces the whole schedule, so what it left out would be
 * lost. It reads a file if the runs have options that `millrace schedules create` does not take.
 */
export function scheduleCommand(path: string, schedule: NewSchedule): FormCommand {
  const { target = {}, input, ...others } = schedule.run as Record<string, unknown> & { target?: object };
  const [kind = "flow", name = "", ...more] = Object.entries(target).flat() as string[];
  if (Object.keys(others).length > 0 || more.length > 0 || !TARGETS.includes(kind)) {
    const text = JSON.stringify({ path, ...schedule }, null, 2);
    return { args: ["schedules", "apply", "schedule.json"], file: { name: "schedule.json", text } };
  }
  const repeated = (option: string, values: readonly string[] = []) => values.flatMap((value) => [option, value]);
  const texts = TEXTS.flatMap(([option, field]) => repeated(option, [schedule[field] ?? []].flat()));
  return {
    args: [
      ...["schedules", "create", path, `--${kind}`, name || "TARGET"],
      ...repeated("--cron", schedule.cron),
      ...repeated("--exclude", schedule.exclude),
      ...texts,
      ...(input === undefined ? [] : ["--input", JSON.stringify(input)]),
    ],
  };
}
