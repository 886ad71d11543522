import { result } from "#/api/client.ts";
import type { Alert, NewAlert } from "#/api/types.ts";
import { choice, type FormTexts, type FormValues, LINES, present, TEXT } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import type { CurrentWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { alerts } = words;

/** Ways to a receiver, each with the option of the command that sets it. */
const CHANNELS = {
  webhook: "--webhook",
  webhook_secret: "--webhook-secret",
  slack: "--slack",
  slack_secret: "--slack-secret",
  email: "--email",
  kafka: "--kafka",
} as const;

type Channel = keyof typeof CHANNELS;

/** The way of an alert, and where it leads: an address, the path of a secret that holds one, mailboxes, or a resource and a topic. */
export function channelOf({ webhook, slack, email, kafka }: NewAlert): {
  readonly channel: Channel;
  readonly to: string;
} {
  if (kafka !== undefined) {
    return { channel: "kafka", to: `${kafka.connection}\n${kafka.topic}` };
  }
  if (email !== undefined) {
    return { channel: "email", to: email.recipients.join("\n") };
  }
  const place = webhook ?? slack;
  const kind = slack === undefined ? "webhook" : "slack";
  return place?.url_secret === undefined
    ? { channel: kind, to: place?.url ?? "" }
    : { channel: `${kind}_secret`, to: place.url_secret };
}

/** Creates an alert, or replaces one. */
export function setAlert({ api }: CurrentWorkspace, before?: Alert): FormAction {
  const { channel, to } = before === undefined ? { channel: "webhook" as Channel, to: "" } : channelOf(before);
  return {
    label: before === undefined ? alerts.create : words.schedules.edit,
    role: "admin",
    kind: before === undefined ? "primary" : "plain",
    fields: [
      ...(before === undefined
        ? [{ name: "name", label: alerts.name, kind: TEXT, isRequired: true, placeholder: "failures" }]
        : []),
      {
        name: "types",
        label: alerts.types,
        help: alerts.typesHelp,
        kind: LINES,
        isRequired: true,
        initial: (before?.types ?? ["run.failed"]).join("\n"),
      },
      { name: "folder", label: alerts.folder, kind: TEXT, initial: before?.folder ?? "" },
      { name: "path", label: alerts.path, kind: TEXT, initial: before?.path ?? "" },
      {
        name: "channel",
        label: alerts.channel,
        kind: choice((Object.keys(CHANNELS) as Channel[]).map((name) => [name, alerts.channels[name]])),
        initial: channel,
      },
      { name: "to", label: alerts.to, help: alerts.toHelp, kind: LINES, isRequired: true, initial: to },
      {
        name: "signing",
        serverName: "webhook.signing_secret",
        label: alerts.signing,
        kind: TEXT,
        initial: before?.webhook?.signing_secret ?? "",
      },
    ],
    act: async (values) => {
      const name = before?.name ?? String(values.name);
      await result(api.PUT("/alerts/{name}", { params: { path: { name } }, body: bodyOf(values, before) }));
      return null;
    },
    command: (texts) => commandOf(texts, before),
  };
}

function bodyOf(values: FormValues, before: Alert | undefined): NewAlert {
  const lines = values.to as string[];
  const place = { [String(values.channel).endsWith("_secret") ? "url_secret" : "url"]: lines[0] };
  const common = {
    types: values.types as string[],
    ...present("folder", values.folder as string | undefined),
    ...present("path", values.path as string | undefined),
  };
  switch (values.channel as Channel) {
    case "email":
      return { ...common, email: { recipients: lines } };
    case "kafka":
      return {
        ...common,
        kafka: { connection: lines[0] ?? "", topic: lines[1] ?? "", ...present("mode", before?.kafka?.mode) },
      };
    case "slack":
    case "slack_secret":
      return { ...common, slack: place };
    case "webhook":
    case "webhook_secret":
      return { ...common, webhook: { ...place, ...present("signing_secret", values.signing as string | undefined) } };
  }
}

function commandOf(texts: FormTexts, before: Alert | undefined): readonly string[] {
  const lines = (name: string) => (texts[name] ?? "").split("\n").filter((line) => line.trim() !== "");
  const option = (name: string, text: string | undefined) => (text ? [name, text] : []);
  return [
    "alerts",
    "set",
    before?.name ?? (texts.name || "NAME"),
    ...lines("types").flatMap((type) => ["--type", type.trim()]),
    ...option("--folder", texts.folder),
    ...option("--path", texts.path),
    ...lines("to").flatMap((to, index) => [
      texts.channel === "kafka" && index === 1 ? "--topic" : CHANNELS[texts.channel as Channel],
      to.trim(),
    ]),
    ...(texts.channel === "kafka" && before?.kafka?.mode === "binary" ? ["--binary"] : []),
    ...option("--signing-secret", texts.signing),
  ];
}
