import { expect, test, vi } from "vitest";
import type { NewSchedule, Schedule } from "#/api/types.ts";
import { initialTexts } from "#/forms/field.ts";
import { formCommand } from "#/forms/form_command.ts";
import { readForm } from "#/forms/reading.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

vi.hoisted(() => {
  const location = { href: "http://localhost:8400/" };
  vi.stubGlobal("document", { querySelector: () => null, location });
});
const { setSchedule } = await import("#/pages/schedules/schedule_form.ts");

/** What the runs of a schedule are told; the document of the API leaves its fields open. */
const run = (fields: object) => fields as Schedule["run"];

const SET: Schedule = {
  path: "reports/nightly",
  version: 3,
  paused: false,
  actor: "ada",
  run: run({ target: { flow: "shop/report" }, input: { region: "north's", count: 3 } }),
  cron: ["30 2 * * *", "0 12 * * 6"],
  zone: "Europe/Berlin",
  exclude: ["2026-12-24..2027-01-02", "05-01"],
  start: "2026-01-01T00:00:00Z",
  end: "2027-01-01T00:00:00Z",
  overlap: "buffer_one",
  catch_up: "600s",
  jitter: "30s",
  time_input: "at",
  description: "What was sold",
};

const RUN = { target: { script: "hello.py" } };

/** What the form sends, and what the command that it shows would send. */
async function bodies(before?: Schedule, changes: Readonly<Record<string, string>> = {}) {
  const sent: NewSchedule[] = [];
  const PUT = async (_: string, { body }: { body: NewSchedule }) => {
    sent.push(body);
    return { data: {}, response: new Response() };
  };
  const action = setSchedule({ name: "default", url: "", api: { PUT } } as unknown as CurrentWorkspace, before);
  const fields = action.fields ?? [];
  const texts = { ...initialTexts(fields), ...changes };
  const read = readForm(fields, texts);
  await action.act(read.kind === "values" ? read.values : {}, "key");
  return { sent: sent[0], command: formCommand(action.command?.(texts) ?? []) };
}

/** Reads arguments as `millrace schedules create` does. */
function bodyOf(args: readonly string[]): unknown {
  const body: Record<string, unknown> = {};
  const run: Record<string, unknown> = {};
  for (let at = 3; at < args.length; at += 2) {
    const name = (args[at] ?? "").replace(/^--/, "").replaceAll("-", "_");
    const value = args[at + 1] ?? "";
    if (["flow", "script", "handler"].includes(name)) {
      run.target = { [name]: value };
    } else if (name === "input") {
      run.input = JSON.parse(value);
    } else if (name === "cron" || name === "exclude") {
      body[name] = [...((body[name] as string[] | undefined) ?? []), value];
    } else {
      body[name] = value;
    }
  }
  return { ...body, run };
}

const BARE: Schedule = { path: "a", version: 1, paused: false, actor: "ada", run: run(RUN) };

test.each([
  ["all fields", SET],
  ["an interval", { ...BARE, every: "900s" }],
  ...(
    ["start", "end", "overlap", "catch_up", "jitter", "time_input", "description", "zone", "cron", "exclude"] as const
  ).map((field) => [field, { ...BARE, [field]: SET[field] } as Schedule] as const),
  ["input", { ...BARE, run: run({ ...RUN, input: { a: [1, "2"] } }) }],
] as const)("the command of an edit says all that the form sends: %s", async (_, before) => {
  const { sent, command } = await bodies(before);
  expect(command.args.slice(0, 3)).toEqual(["schedules", "create", before.path]);
  expect(bodyOf(command.args)).toEqual(sent);
});

test("the command of a new schedule has its input and its description", async () => {
  const texts = {
    path: "b",
    kind: "script",
    target: "hello.py",
    every: "1h",
    input: '{"name":"Ada"}',
    description: "Hi",
  };
  const { sent, command } = await bodies(undefined, texts);
  expect(sent).toMatchObject({ description: "Hi", run: { input: { name: "Ada" } } });
  expect(bodyOf(command.args)).toEqual(sent);
});

test("options of the runs, for which the command has none, come from a file", async () => {
  const before = { ...SET, run: run({ ...SET.run, tag: "gpu", retry: { attempts: 3 } }) };
  const { sent, command } = await bodies(before);
  expect(command.args).toEqual(["schedules", "apply", "schedule.json"]);
  expect(JSON.parse(command.file?.text ?? "")).toEqual({ path: SET.path, ...sent });
  expect(sent?.run).toMatchObject({ tag: "gpu" });
});
