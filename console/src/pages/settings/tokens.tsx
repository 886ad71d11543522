import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { result, shared } from "#/api/client.ts";
import type { Token } from "#/api/types.ts";
import { choice, present, TEXT } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { IssuedToken } from "#/pages/settings/issued_token.tsx";
import { Listing } from "#/pages/settings/listing.tsx";
import { Tag } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useMay, useSession } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;
const ROLES = ["viewer", "runner", "developer", "admin", "owner"] as const;

type Scope = "mine" | "workspace" | "all";

/** Tokens without their texts: those of the caller, of the programs of the workspace, or of the installation. */
export function Tokens() {
  const workspace = useWorkspace();
  const isLocal = useSession().data?.principal.kind === "local";
  const isAdmin = useMay("admin");
  const isOwner = useMay("owner");
  const [chosen, setScope] = useState<Scope>();
  const scope = chosen ?? (isLocal ? "all" : "mine");
  const asked = { mine: {}, workspace: { workspace: workspace.name }, all: { all: true } }[scope];
  const tokens = useInfiniteQuery(
    listQuery([workspace.name, "tokens", scope], (query) =>
      result(shared.GET("/api/v1/tokens", { params: { query: { ...query, ...asked } } })),
    ),
  );
  const scopes: readonly Scope[] = [
    ...(isLocal ? [] : (["mine"] as const)),
    ...(isAdmin ? (["workspace"] as const) : []),
    ...(isOwner ? (["all"] as const) : []),
  ];
  return (
    <>
      {scopes.length > 1 && (
        <select
          aria-label={settings.whose}
          value={scope}
          onChange={(event) => setScope(scopes.find((name) => name === event.target.value))}
          className="min-h-9 rounded-md border border-line bg-surface px-2 text-sm"
        >
          {scopes.map((name) => (
            <option key={name} value={name}>
              {settings.scopes[name]}
            </option>
          ))}
        </select>
      )}
      <Listing
        title={settings.sections.tokens}
        help={settings.tokensHelp}
        empty={settings.noTokens}
        query={tokens}
        keyOf={(token) => token.id}
        row={(token) => <TokenRow token={token} />}
        actions={(token) => (token.revoke_time === undefined ? [revoke(token)] : [])}
        add={isLocal ? [] : [issue]}
      />
    </>
  );
}

function TokenRow({ token }: { token: Token }) {
  const { restrictions } = token;
  return (
    <>
      <span className="font-medium break-all">{token.name}</span>
      <Tag>{settings.tokenKinds[token.kind]}</Tag>
      {token.principal !== undefined && <span>{token.principal}</span>}
      {restrictions?.role_max !== undefined && <Tag>{settings.atMost(settings.roles[restrictions.role_max])}</Tag>}
      {[...(restrictions?.workspaces ?? []), ...(restrictions?.folders ?? []), ...(restrictions?.tags ?? [])].map(
        (name) => (
          <Tag key={name}>{name}</Tag>
        ),
      )}
      {token.revoke_time !== undefined ? (
        <Tag tone="bad">{settings.revoked}</Tag>
      ) : (
        <span className="text-muted">
          {token.expire_time === undefined ? (
            settings.neverExpires
          ) : (
            <>
              {settings.expires} <TimeText time={token.expire_time} />
            </>
          )}
        </span>
      )}
      <span className="text-muted">
        {token.last_use_time === undefined ? (
          settings.neverUsed
        ) : (
          <>
            {settings.lastUsed} <TimeText time={token.last_use_time} />
          </>
        )}
      </span>
    </>
  );
}

const issue: FormAction = {
  label: settings.issueToken,
  role: "viewer",
  isShared: true,
  fields: [
    { name: "name", label: settings.tokenName, kind: TEXT, isRequired: true, placeholder: "laptop" },
    { name: "valid_for", label: settings.validFor, help: settings.validForHelp, kind: TEXT, initial: "720h" },
    {
      name: "role_max",
      label: settings.roleMax,
      kind: choice([["", settings.unrestricted], ...ROLES.map((role) => [role, settings.roles[role]] as const)]),
    },
  ],
  act: async ({ name, valid_for, role_max }) => {
    const role = ROLES.find((each) => each === role_max);
    const restrictions = role === undefined ? undefined : { role_max: role };
    const body = {
      name: String(name),
      ...present("valid_for", valid_for as string | undefined),
      ...present("restrictions", restrictions),
    };
    return <IssuedToken secret={(await result(shared.POST("/api/v1/tokens", { body }))).secret} />;
  },
  command: ({ name, valid_for, role_max }) => [
    "tokens",
    "create",
    "--name",
    name || "NAME",
    ...(valid_for ? ["--valid-for", valid_for] : []),
    ...(role_max ? ["--role-max", role_max] : []),
  ],
};

function revoke({ id, name }: Token): FormAction {
  return {
    label: settings.revoke,
    title: `${settings.revoke} ${name}`,
    help: settings.revokeTokenHelp,
    role: "viewer",
    kind: "danger",
    isShared: true,
    act: async () => {
      await result(shared.DELETE("/api/v1/tokens/{id}", { params: { path: { id } } }));
      return null;
    },
    command: () => ["tokens", "revoke", id],
  };
}
