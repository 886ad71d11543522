import { expect, test, vi } from "vitest";
import type { NewTrigger, Trigger, TriggerKind } from "#/api/types.ts";
import { initialTexts } from "#/forms/field.ts";
import { formCommand } from "#/forms/form_command.ts";
import { readForm } from "#/forms/reading.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

vi.hoisted(() => {
  vi.stubGlobal("document", { querySelector: () => null, location: { href: "http://localhost:8400/" } });
});
const { setTrigger } = await import("#/pages/triggers/trigger_form.ts");

const BARE = { path: "shop/orders", version: 1, paused: false };

const TRIGGERS = [
  {
    ...BARE,
    kind: "webhook",
    description: "Orders",
    run: { target: { flow: "shop/order" }, input: { region: "north" }, tag: "gpu" },
    webhook: { scheme: "github", secrets: ["shop/github"], parts: ["body", "headers"] },
  },
  { ...BARE, kind: "event", run: { target: { script: "a.py" } }, event: { types: ["run.failed"] } },
  {
    ...BARE,
    kind: "kafka",
    run: { target: { handler: "h" } },
    kafka: { connection: "shop/kafka", topics: ["orders"] },
  },
] as unknown as readonly Trigger[];

/** What the form sends, and the file that its command reads. */
async function bodies(kind: TriggerKind, before: Trigger | undefined, changes: Readonly<Record<string, string>> = {}) {
  const sent: NewTrigger[] = [];
  const PUT = async (_: string, { body }: { body: NewTrigger }) => {
    sent.push(body);
    return { data: {}, response: new Response() };
  };
  const action = setTrigger({ name: "default", url: "", api: { PUT } } as unknown as CurrentWorkspace, kind, before);
  const fields = action.fields ?? [];
  const texts = { ...initialTexts(fields), ...changes };
  const read = readForm(fields, texts);
  await action.act(read.kind === "values" ? read.values : {}, "key");
  return { sent: sent[0], command: formCommand(action.command?.(texts) ?? []) };
}

test.each(TRIGGERS)("the file of an edit says all that the form sends: $kind", async (trigger) => {
  const { sent, command } = await bodies(trigger.kind, trigger);
  expect(command.args).toEqual(["triggers", "apply", "trigger.json"]);
  expect(command.file?.name).toBe("trigger.json");
  const { path, ...body } = JSON.parse(command.file?.text ?? "");
  expect(path).toBe("shop/orders");
  expect(body).toEqual(sent);
  const { run, [trigger.kind]: source } = trigger as unknown as Record<string, unknown>;
  expect(body).toMatchObject({ run, [trigger.kind]: source });
});

test("the file of a new webhook has the fields as they are written", async () => {
  const texts = { path: "a/b", target: "shop/order", secrets: "shop/one\nshop/two", others: '{"wait": "30s"}' };
  const { sent, command } = await bodies("webhook", undefined, texts);
  expect(JSON.parse(command.file?.text ?? "")).toEqual({ path: "a/b", ...sent });
  expect(sent?.webhook).toEqual({ scheme: "standard", secrets: ["shop/one", "shop/two"], wait: "30s" });
});
