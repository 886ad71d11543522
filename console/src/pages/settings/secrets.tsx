import { useInfiniteQuery } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { ReferenceUser, Secret } from "#/api/types.ts";
import { choice, present, SECRET, TEXT } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { Listing } from "#/pages/settings/listing.tsx";
import { Tag } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;
const STORES = ["local", "folder", "vault"] as const;

/** Values that steps may use and that nobody can read back, the console included. */
export function Secrets() {
  const workspace = useWorkspace();
  const secrets = useInfiniteQuery(
    listQuery([workspace.name, "secrets"], (query) => result(workspace.api.GET("/secrets", { params: { query } }))),
  );
  return (
    <Listing
      title={settings.sections.secrets}
      help={settings.secretsHelp}
      empty={settings.noSecrets}
      query={secrets}
      keyOf={(secret) => secret.path}
      row={(secret) => (
        <>
          <span className="font-medium break-all">{secret.path}</span>
          {secret.store !== "local" && <Tag>{settings.stores[secret.store]}</Tag>}
          <span className="text-muted">{settings.version(secret.version)}</span>
          {secret.versions?.[0] !== undefined && (
            <span className="text-muted">
              {secret.versions[0].created_by} <TimeText time={secret.versions[0].create_time} />
            </span>
          )}
          {secret.description ? <span className="w-full text-muted">{secret.description}</span> : null}
          <UsedBy paths={secret.used_by} others={secret.other_users} />
        </>
      )}
      actions={(secret) => [set(workspace, secret), erase(workspace, secret)]}
      add={[set(workspace)]}
    />
  );
}

/** What refers to a secret or resource: flows by their paths, everything else with its kind. */
export function UsedBy({
  paths = [],
  others = [],
}: {
  paths: readonly string[] | undefined;
  others: readonly ReferenceUser[] | undefined;
}) {
  const users = [...paths, ...others.map(({ kind, path }) => `${kind} ${path}`)];
  return users.length === 0 ? null : (
    <span className="w-full text-xs text-muted">
      {settings.usedBy} {users.join(", ")}
    </span>
  );
}

function set({ api }: CurrentWorkspace, before?: Secret): FormAction {
  return {
    label: before === undefined ? settings.createSecret : settings.newValue,
    title: before === undefined ? settings.createSecret : `${settings.newValue}: ${before.path}`,
    help: settings.writeOnly,
    role: "developer",
    ...(before === undefined ? {} : { place: { path: before.path } }),
    fields: [
      ...(before === undefined
        ? [{ name: "path", label: settings.path, kind: TEXT, isRequired: true, placeholder: "shop/db_password" }]
        : []),
      { name: "value", label: settings.value, help: settings.valueHelp, kind: SECRET },
      {
        name: "store",
        label: settings.store,
        kind: choice(STORES.map((store) => [store, settings.stores[store]])),
        initial: before?.store ?? "local",
      },
      { name: "description", label: settings.description, kind: TEXT, initial: before?.description ?? "" },
    ],
    act: async (values) => {
      const path = before?.path ?? String(values.path);
      const body = {
        ...present("value", values.value as string | undefined),
        store: STORES.find((store) => store === values.store) ?? "local",
        ...present("description", values.description as string | undefined),
        create_only: before === undefined,
      };
      await result(api.PUT("/secrets/{path}", { params: { path: { path } }, body }));
      return null;
    },
    command: ({ path, store }) => [
      "secrets",
      "set",
      before?.path ?? (path || "PATH"),
      ...(store === "local" ? [] : ["--store", store ?? "local"]),
    ],
  };
}

function erase({ api }: CurrentWorkspace, { path }: Secret): FormAction {
  return {
    label: words.common.delete,
    title: words.schedules.deleteTitle(path),
    help: settings.eraseHelp,
    role: "developer",
    place: { path },
    kind: "danger",
    act: async () => {
      await result(api.DELETE("/secrets/{path}", { params: { path: { path } } }));
      return null;
    },
    command: () => ["secrets", "delete", path],
  };
}
