import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { result, shared } from "#/api/client.ts";
import type { Workspace } from "#/api/types.ts";
import { choice, type FormField, present, TEXT, textOf } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { Listing } from "#/pages/settings/listing.tsx";
import { Tag } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { DEFAULT_WORKSPACE, workspacesQuery } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;

/** The workspaces in which the caller has a role, and what each is for. */
export function Workspaces() {
  const client = useQueryClient();
  const workspaces = useInfiniteQuery(
    listQuery(["workspaces"], async (query) => {
      const page = await result(shared.GET("/api/v1/workspaces", { params: { query } }));
      // The menu of the frame names the same.
      void client.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      return page;
    }),
  );
  return (
    <Listing
      title={settings.sections.workspaces}
      help={settings.workspacesHelp}
      empty={settings.noWorkspaces}
      query={workspaces}
      keyOf={(workspace) => workspace.name}
      row={(workspace) => <WorkspaceRow workspace={workspace} />}
      actions={(workspace) => [update(workspace), archive(workspace)]}
      add={[create]}
    />
  );
}

function WorkspaceRow({ workspace: { name, description, isolated, state, former_names, ...rest } }: RowProps) {
  return (
    <>
      <Link
        to="/"
        search={{ workspace: name === DEFAULT_WORKSPACE ? undefined : name }}
        className="font-medium break-all text-accent hover:underline"
      >
        {name}
      </Link>
      {state !== "active" && <Tag tone="bad">{settings.workspaceStates[state]}</Tag>}
      {isolated && <Tag>{settings.isolated}</Tag>}
      <span className="text-muted">
        {rest.created_by} <TimeText time={rest.create_time} />
      </span>
      {description !== "" && <span className="w-full text-muted">{description}</span>}
      {former_names.length > 0 && (
        <span className="w-full text-xs text-muted">
          {settings.formerNames} {former_names.join(", ")}
        </span>
      )}
    </>
  );
}

interface RowProps {
  readonly workspace: Workspace;
}

function fields(before: Workspace | undefined): readonly FormField[] {
  return [
    { name: "description", label: settings.description, kind: TEXT, initial: before?.description ?? "" },
    {
      name: "isolated",
      label: settings.isolation,
      help: settings.isolationHelp,
      kind: choice([
        ["no", settings.notIsolated],
        ["yes", settings.isolated],
      ]),
      initial: before?.isolated === true ? "yes" : "no",
    },
  ];
}

const create: FormAction = {
  label: settings.createWorkspace,
  help: settings.createWorkspaceHelp,
  role: "owner",
  isShared: true,
  fields: [
    { name: "name", label: settings.name, kind: TEXT, isRequired: true, placeholder: "team-a" },
    ...fields(undefined),
  ],
  act: async (values) => {
    const body = {
      name: String(values.name),
      isolated: values.isolated === "yes",
      ...present("description", textOf(values, "description")),
    };
    await result(shared.POST("/api/v1/workspaces", { body }));
    return null;
  },
  command: ({ name, description, isolated }) => [
    "workspaces",
    "create",
    name || "NAME",
    ...(description ? ["--description", description] : []),
    ...(isolated === "yes" ? ["--isolated"] : []),
  ],
};

function update(before: Workspace): FormAction {
  const { name } = before;
  return {
    label: settings.change,
    title: `${settings.change}: ${name}`,
    role: "owner",
    isShared: true,
    fields: fields(before),
    act: async (values) => {
      const params = { path: { workspace: name } };
      const body = { description: textOf(values, "description") ?? "", isolated: values.isolated === "yes" };
      await result(shared.PATCH("/api/v1/workspaces/{workspace}", { params, body }));
      return null;
    },
    command: ({ description, isolated }) => [
      "workspaces",
      "update",
      name,
      "--description",
      description ?? "",
      "--isolated",
      isolated === "yes" ? "true" : "false",
    ],
  };
}

function archive({ name, state }: Workspace): FormAction {
  const isActive = state === "active";
  return {
    label: isActive ? settings.archive : settings.restore,
    title: `${isActive ? settings.archive : settings.restore} ${name}`,
    help: isActive ? settings.archiveHelp : settings.restoreHelp,
    role: "owner",
    isShared: true,
    kind: isActive ? "danger" : "plain",
    act: async () => {
      const params = { path: { workspace: name } };
      await result(
        isActive
          ? shared.POST("/api/v1/workspaces/{workspace}:archive", { params })
          : shared.POST("/api/v1/workspaces/{workspace}:restore", { params }),
      );
      return null;
    },
    command: () => ["workspaces", isActive ? "archive" : "restore", name],
  };
}
