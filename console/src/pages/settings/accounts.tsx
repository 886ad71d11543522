import { useInfiniteQuery } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { Principal } from "#/api/types.ts";
import { LINES, present, TEXT } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { IssuedToken } from "#/pages/settings/issued_token.tsx";
import { Listing } from "#/pages/settings/listing.tsx";
import { PrincipalRow } from "#/pages/settings/people.tsx";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;

/** The programs that call in the workspace. */
export function Accounts() {
  const workspace = useWorkspace();
  const accounts = useInfiniteQuery(
    listQuery([workspace.name, "accounts"], (query) =>
      result(workspace.api.GET("/service-accounts", { params: { query } })),
    ),
  );
  return (
    <Listing
      title={settings.sections.accounts}
      help={settings.accountsHelp}
      empty={settings.noAccounts}
      query={accounts}
      keyOf={(account) => account.name}
      row={(account) => <PrincipalRow principal={account} />}
      actions={(account) => [issue(workspace, account), disable(workspace, account)]}
      add={[create(workspace), issueForWorkers(workspace)]}
    />
  );
}

function create({ api }: CurrentWorkspace): FormAction {
  return {
    label: settings.createAccount,
    help: settings.createAccountHelp,
    role: "admin",
    fields: [{ name: "name", label: settings.name, kind: TEXT, isRequired: true, placeholder: "deployer" }],
    act: async ({ name }) => {
      await result(api.POST("/service-accounts", { body: { name: String(name) } }));
      return null;
    },
    command: ({ name }) => ["service-accounts", "create", name || "NAME"],
  };
}

function issue({ api }: CurrentWorkspace, { name }: Principal): FormAction {
  return {
    label: settings.issueToken,
    title: `${settings.issueToken}: ${name}`,
    role: "admin",
    fields: [
      { name: "name", label: settings.tokenName, kind: TEXT, isRequired: true },
      { name: "valid_for", label: settings.validFor, help: settings.validForHelp, kind: TEXT, initial: "2160h" },
    ],
    act: async (values) => {
      const body = { name: String(values.name), ...present("valid_for", values.valid_for as string | undefined) };
      const issued = await result(api.POST("/service-accounts/{name}/tokens", { params: { path: { name } }, body }));
      return <IssuedToken secret={issued.secret} />;
    },
    command: (texts) => [
      "tokens",
      "create",
      "--service-account",
      name,
      "--name",
      texts.name || "NAME",
      ...(texts.valid_for ? ["--valid-for", texts.valid_for] : []),
    ],
  };
}

function issueForWorkers({ api }: CurrentWorkspace): FormAction {
  return {
    label: settings.workerToken,
    help: settings.workerTokenHelp,
    role: "admin",
    fields: [
      { name: "name", label: settings.tokenName, kind: TEXT, isRequired: true },
      { name: "tags", label: settings.tags, help: settings.tagsHelp, kind: LINES },
    ],
    act: async ({ name, tags }) => {
      const body = { name: String(name), ...present("tags", tags as string[] | undefined) };
      return <IssuedToken secret={(await result(api.POST("/worker-tokens", { body }))).secret} />;
    },
    command: ({ name, tags }) => [
      "tokens",
      "create",
      "--worker",
      "--name",
      name || "NAME",
      ...(tags ? ["--tags", tags.trim().split(/\s+/).join(",")] : []),
    ],
  };
}

function disable({ api }: CurrentWorkspace, { name, disable_time }: Principal): FormAction {
  const isDisabled = disable_time !== undefined;
  return {
    label: isDisabled ? settings.enable : settings.disable,
    title: `${isDisabled ? settings.enable : settings.disable} ${name}`,
    help: isDisabled ? settings.enableHelp : settings.disableHelp,
    role: "admin",
    kind: isDisabled ? "plain" : "danger",
    act: async () => {
      const params = { path: { name } };
      await result(api.PATCH("/service-accounts/{name}", { params, body: { disabled: !isDisabled } }));
      return null;
    },
    command: () => ["service-accounts", isDisabled ? "enable" : "disable", name],
  };
}
