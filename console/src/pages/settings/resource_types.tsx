import { useInfiniteQuery } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { ResourceType } from "#/api/types.ts";
import { JSON_VALUE, present, TEXT, textOf } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { Listing } from "#/pages/settings/listing.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;

/** The types that resources may have, each with the schema of its values. */
export function ResourceTypes() {
  const workspace = useWorkspace();
  const types = useInfiniteQuery(
    listQuery([workspace.name, "resource-types"], () => result(workspace.api.GET("/resource-types"))),
  );
  return (
    <Listing
      title={settings.resourceTypes}
      help={settings.resourceTypesHelp}
      empty={settings.noResourceTypes}
      query={types}
      keyOf={(type) => type.name}
      row={(type) => <TypeRow type={type} />}
      actions={(type) => [set(workspace, type), remove(workspace, type)]}
      add={[set(workspace)]}
    />
  );
}

function TypeRow({ type: { name, description, schema } }: { type: ResourceType }) {
  return (
    <>
      <span className="font-medium break-all">{name}</span>
      {description ? <span className="w-full text-muted">{description}</span> : null}
      <details className="w-full">
        <summary className="text-xs text-muted">{settings.schema}</summary>
        <JsonView value={schema} label={name} />
      </details>
    </>
  );
}

function set({ api }: CurrentWorkspace, before?: ResourceType): FormAction {
  return {
    label: before === undefined ? settings.createResourceType : settings.change,
    title: before === undefined ? settings.createResourceType : `${settings.change}: ${before.name}`,
    help: settings.resourceTypeHelp,
    role: "developer",
    place: "workspace",
    fields: [
      ...(before === undefined
        ? [{ name: "name", label: settings.name, kind: TEXT, isRequired: true, placeholder: "postgres" }]
        : []),
      {
        name: "schema",
        label: settings.schema,
        kind: JSON_VALUE,
        isRequired: true,
        placeholder: '{"type": "object", "required": ["host"]}',
        initial: before === undefined ? "" : JSON.stringify(before.schema, null, 2),
      },
      { name: "description", label: settings.description, kind: TEXT, initial: before?.description ?? "" },
    ],
    act: async (values) => {
      const params = { path: { name: before?.name ?? String(values.name) } };
      const body = { schema: values.schema, ...present("description", textOf(values, "description")) };
      await result(api.PUT("/resource-types/{name}", { params, body }));
      return null;
    },
    command: ({ name, description }) => [
      "resources",
      "set-type",
      before?.name ?? (name || "NAME"),
      "schema.json",
      ...(description ? ["--description", description] : []),
    ],
  };
}

function remove({ api }: CurrentWorkspace, { name }: ResourceType): FormAction {
  return {
    label: words.common.delete,
    title: `${words.common.delete}: ${name}`,
    help: settings.deleteResourceTypeHelp,
    role: "developer",
    place: "workspace",
    kind: "danger",
    act: async () => {
      await result(api.DELETE("/resource-types/{name}", { params: { path: { name } } }));
      return null;
    },
    command: () => ["resources", "delete-type", name],
  };
}
