import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { result } from "#/api/client.ts";
import type { Resource } from "#/api/types.ts";
import { JSON_VALUE, present, TEXT } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { Listing } from "#/pages/settings/listing.tsx";
import { UsedBy } from "#/pages/settings/secrets.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { Tag } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;

/** JSON values that steps may use. */
export function Resources() {
  const workspace = useWorkspace();
  const resources = useInfiniteQuery(
    listQuery([workspace.name, "resources"], (query) => result(workspace.api.GET("/resources", { params: { query } }))),
  );
  return (
    <Listing
      title={settings.sections.resources}
      help={settings.resourcesHelp}
      empty={settings.noResources}
      query={resources}
      keyOf={(resource) => resource.path}
      row={(resource) => <ResourceRow resource={resource} />}
      actions={(resource) => [set(workspace, resource), remove(workspace, resource)]}
      add={[set(workspace)]}
    />
  );
}

function ResourceRow({ resource }: { resource: Resource }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <span className="font-medium break-all">{resource.path}</span>
      {resource.type ? <Tag>{resource.type}</Tag> : null}
      <span className="text-muted">
        {resource.updated_by} <TimeText time={resource.update_time} />
      </span>
      {resource.description ? <span className="w-full text-muted">{resource.description}</span> : null}
      <UsedBy paths={resource.used_by} others={resource.other_users} />
      <details className="w-full" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="text-xs text-muted">{settings.value}</summary>
        {isOpen && <Value path={resource.path} updated={resource.update_time} />}
      </details>
    </>
  );
}

function Value({ path, updated }: { path: string; updated: string | undefined }) {
  const { name, api } = useWorkspace();
  const resource = useQuery({
    queryKey: [name, "resources", path, updated],
    queryFn: () => result(api.GET("/resources/{path}", { params: { path: { path } } })),
  });
  return <Loaded query={resource}>{({ value }) => <JsonView value={value} label={path} />}</Loaded>;
}

function set({ api }: CurrentWorkspace, before?: Resource): FormAction {
  return {
    label: before === undefined ? settings.createResource : settings.newValue,
    title: before === undefined ? settings.createResource : `${settings.newValue}: ${before.path}`,
    help: settings.resourceValueHelp,
    role: "developer",
    ...(before === undefined ? {} : { place: { path: before.path } }),
    fields: [
      ...(before === undefined
        ? [{ name: "path", label: settings.path, kind: TEXT, isRequired: true, placeholder: "shop/db" }]
        : []),
      {
        name: "value",
        label: settings.value,
        kind: JSON_VALUE,
        isRequired: true,
        placeholder: '{"host": "db.internal"}',
      },
      { name: "type", label: settings.type, kind: TEXT, initial: before?.type ?? "" },
      { name: "description", label: settings.description, kind: TEXT, initial: before?.description ?? "" },
    ],
    act: async (values) => {
      const path = before?.path ?? String(values.path);
      const body = {
        value: values.value,
        ...present("type", values.type as string | undefined),
        ...present("description", values.description as string | undefined),
      };
      await result(api.PUT("/resources/{path}", { params: { path: { path } }, body }));
      return null;
    },
    command: ({ path, type }) => [
      "resources",
      "set",
      before?.path ?? (path || "PATH"),
      "value.json",
      ...(type ? ["--type", type] : []),
    ],
  };
}

function remove({ api }: CurrentWorkspace, { path }: Resource): FormAction {
  return {
    label: words.common.delete,
    title: words.schedules.deleteTitle(path),
    help: settings.removeResourceHelp,
    role: "developer",
    place: { path },
    kind: "danger",
    act: async () => {
      await result(api.DELETE("/resources/{path}", { params: { path: { path } } }));
      return null;
    },
    command: () => ["resources", "delete", path],
  };
}
