import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { result } from "#/api/client.ts";
import { chooseTheme } from "#/design/theme.ts";
import { flowsQuery, scriptsQuery } from "#/pages/definitions/queries.ts";
import { type Command, matching } from "#/shell/commands.ts";
import { openOnceOffered, useOffers } from "#/shell/offers.ts";
import { acceptedBetween } from "#/shell/run_prefix.ts";
import { useMayAt, usePlaces } from "#/shell/session.ts";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { chooseLanguage, LANGUAGES, type Language } from "#/words/language.ts";
import { words } from "#/words/words.ts";

const RUNS_MAX = 100;
const THEMES = ["system", "light", "dark"] as const;

/** The commands that fit a text, the best ones first. What a person may not do is not among them. */
export function useCommands(text: string): readonly Command[] {
  const offers = useOffers();
  const runs = useRunCommands(text);
  const all = [
    ...offers.map(({ label, open }): Command => ({ id: `do ${label}`, name: label, icon: "running", act: open })),
    ...usePlaceCommands(),
    ...useNewCommands(),
    ...useDefinitionCommands(),
    ...THEMES.map((theme): Command => {
      const name = words.palette.theme(words.shell.themes[theme]);
      return { id: `theme ${theme}`, name, icon: "theme", act: () => chooseTheme(theme) };
    }),
    ...Object.entries(LANGUAGES).map(([language, own]): Command => {
      const act = () => chooseLanguage(language as Language);
      return { id: `language ${language}`, name: words.palette.language(own), icon: "language", act };
    }),
  ];
  return [...runs, ...matching(all, text)];
}

function usePlaceCommands(): readonly Command[] {
  const navigate = useNavigate();
  return usePlaces().map((place) => ({
    id: place.to,
    name: `${words.palette.goTo} ${place.name}`,
    icon: place.icon,
    act: () => void navigate({ to: place.to }),
  }));
}

/** What begins something new: the page of its kind, with its dialog open. */
function useNewCommands(): readonly Command[] {
  const navigate = useNavigate();
  const may = useMayAt();
  if (!may("developer")) {
    return [];
  }
  const create = (name: string, icon: Command["icon"], go: () => void): Command => ({
    id: `new ${name}`,
    name,
    icon,
    act: go,
  });
  const edit = (kind: "flow" | "script") => () =>
    void navigate({ to: "/editor/$kind/$", params: { kind, _splat: "" } });
  const open = (label: string, go: () => void) => {
    openOnceOffered(label);
    go();
  };
  const schedule = words.schedules.create;
  const webhook = words.triggers.create.webhook;
  return [
    create(words.editor.newFlow, "flows", edit("flow")),
    create(words.editor.newScript, "scripts", edit("script")),
    create(schedule, "schedules", () => open(schedule, () => void navigate({ to: "/schedules" }))),
    create(webhook, "triggers", () =>
      open(webhook, () => void navigate({ to: "/triggers/$kind", params: { kind: "webhook" } })),
    ),
  ];
}

/** The pages of flows and scripts, their runs, and the forms that start them. */
function useDefinitionCommands(): readonly Command[] {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const may = useMayAt();
  const flows = useQuery(flowsQuery(workspace)).data?.items ?? [];
  const scripts = useQuery(scriptsQuery(workspace)).data?.items ?? [];
  const commandsOf = (icon: "flows" | "scripts", to: "/flows/$" | "/scripts/$", path: string): readonly Command[] => {
    const params = { _splat: path };
    const start = () => void navigate({ to, params, search: { tab: "start" } });
    return [
      { id: `${icon} ${path}`, name: path, icon, act: () => void navigate({ to, params }) },
      ...(may("runner", { path })
        ? [{ id: `start ${path}`, name: words.palette.start(path), icon: "running" as const, act: start }]
        : []),
      {
        id: `runs ${path}`,
        name: words.palette.runsOf(path),
        icon: "runs",
        act: () => void navigate({ to: "/runs", search: { name: path } }),
      },
    ];
  };
  return [
    ...flows.flatMap(({ path }) => (path === undefined ? [] : commandsOf("flows", "/flows/$", path))),
    ...scripts.flatMap(({ path }) => (path === undefined ? [] : commandsOf("scripts", "/scripts/$", path))),
  ];
}

/** The runs whose ids begin with the text; a whole id is a run whether the list has it or not. */
function useRunCommands(text: string): readonly Command[] {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const prefix = text.toLowerCase();
  const { data = [] } = useQuery(runsByPrefix(workspace, prefix));
  const ids = prefix.length === ID_LENGTH && acceptedBetween(prefix) !== undefined ? [{ id: prefix, name: "" }] : data;
  return ids.map(({ id, name }) => ({
    id: `run ${id}`,
    name: `${words.palette.openRun(id)} ${name}`.trim(),
    icon: "runs",
    act: () => void navigate({ to: "/runs/$id", params: { id } }),
  }));
}

const ID_LENGTH = 36;

/** Runs by the beginning of their ids, which is the time at which they were made. */
function runsByPrefix({ name, api }: CurrentWorkspace, prefix: string) {
  const between = acceptedBetween(prefix);
  return {
    queryKey: [name, "runs-by-prefix", prefix],
    queryFn: async () => {
      const query = {
        kind: "all" as const,
        page_size: RUNS_MAX,
        created_from: between?.from.toISOString() ?? "",
        created_before: between?.before.toISOString() ?? "",
      };
      const { items } = await result(api.GET("/runs", { params: { query } }));
      return items.filter(({ id }) => id.startsWith(prefix));
    },
    enabled: between !== undefined && prefix.length < ID_LENGTH,
    staleTime: 5_000,
  };
}
