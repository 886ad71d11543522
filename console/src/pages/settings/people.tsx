import { useInfiniteQuery } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";
import type { Principal, RoleBinding } from "#/api/types.ts";
import { TEXT } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { Listing } from "#/pages/settings/listing.tsx";
import { Tag } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

const { settings } = words;

/** The users of the installation, and its owners. */
export function People() {
  const users = useInfiniteQuery(
    listQuery(["users"], (query) => result(shared.GET("/api/v1/users", { params: { query } }))),
  );
  const owners = useInfiniteQuery(
    listQuery(["owners"], (query) => result(shared.GET("/api/v1/owners", { params: { query } }))),
  );
  return (
    <>
      <Listing
        title={settings.users}
        help={settings.usersHelp}
        empty={settings.noUsers}
        query={users}
        keyOf={(user) => user.name}
        row={(user) => <PrincipalRow principal={user} />}
        actions={(user) => [disableUser(user)]}
        add={[createUser]}
      />
      <Listing
        title={settings.owners}
        help={settings.ownersHelp}
        empty={settings.noOwners}
        query={owners}
        keyOf={(owner) => owner.subject}
        row={(owner) => <span className="font-medium break-all">{owner.subject}</span>}
        actions={(owner) => [revokeOwner(owner)]}
        add={[grantOwner]}
      />
    </>
  );
}

/** A person or program with its groups, and whether it is disabled. */
export function PrincipalRow({ principal }: { principal: Principal }) {
  return (
    <>
      <span className="font-medium break-all">{principal.name}</span>
      {principal.groups.map((group) => (
        <Tag key={group}>{group}</Tag>
      ))}
      {principal.may_act_as && <Tag>{settings.mayActAs}</Tag>}
      {principal.disable_time !== undefined && <Tag tone="bad">{settings.disabled}</Tag>}
      <span className="text-muted">
        {settings.created} <TimeText time={principal.create_time} />
      </span>
    </>
  );
}

const createUser: FormAction = {
  label: settings.createUser,
  help: settings.createUserHelp,
  role: "owner",
  isShared: true,
  fields: [{ name: "name", label: settings.name, kind: TEXT, isRequired: true, placeholder: "ada" }],
  act: async ({ name }) => {
    await result(shared.POST("/api/v1/users", { body: { name: String(name) } }));
    return null;
  },
  command: ({ name }) => ["users", "create", name || "NAME"],
};

function disableUser({ name, disable_time }: Principal): FormAction {
  const isDisabled = disable_time !== undefined;
  return {
    label: isDisabled ? settings.enable : settings.disable,
    title: `${isDisabled ? settings.enable : settings.disable} ${name}`,
    help: isDisabled ? settings.enableHelp : settings.disableHelp,
    role: "owner",
    isShared: true,
    kind: isDisabled ? "plain" : "danger",
    act: async () => {
      const params = { path: { name } };
      await result(shared.PATCH("/api/v1/users/{name}", { params, body: { disabled: !isDisabled } }));
      return null;
    },
    command: () => ["users", isDisabled ? "enable" : "disable", name],
  };
}

const grantOwner: FormAction = {
  label: settings.grantOwner,
  role: "owner",
  isShared: true,
  fields: [
    {
      name: "subject",
      label: settings.subject,
      help: settings.ownerSubjectHelp,
      kind: TEXT,
      isRequired: true,
      placeholder: "user:ada",
    },
  ],
  act: async ({ subject }) => {
    await result(shared.POST("/api/v1/owners", { body: { subject: String(subject) } }));
    return null;
  },
  command: ({ subject }) => ["owners", "grant", subject || "SUBJECT"],
};

function revokeOwner({ subject }: RoleBinding): FormAction {
  return {
    label: settings.revoke,
    title: `${settings.revoke} ${subject}`,
    help: settings.revokeOwnerHelp,
    role: "owner",
    isShared: true,
    kind: "danger",
    act: async () => {
      await result(shared.DELETE("/api/v1/owners/{subject}", { params: { path: { subject } } }));
      return null;
    },
    command: () => ["owners", "revoke", subject],
  };
}
