import { useInfiniteQuery } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { RoleBinding } from "#/api/types.ts";
import { choice, present, TEXT } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { Listing } from "#/pages/settings/listing.tsx";
import { Tag } from "#/parts/rows.tsx";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;
const GRANTED = ["viewer", "runner", "developer", "admin"] as const;

/** Who may do what in the workspace. */
export function Roles() {
  const workspace = useWorkspace();
  const roles = useInfiniteQuery(
    listQuery([workspace.name, "roles"], (query) => result(workspace.api.GET("/roles", { params: { query } }))),
  );
  return (
    <Listing
      title={settings.sections.roles}
      help={settings.rolesHelp}
      empty={settings.noRoles}
      query={roles}
      keyOf={({ subject, folder }) => `${folder ?? ""} ${subject}`}
      row={({ subject, folder, role }) => (
        <>
          <span className="font-medium break-all">{subject}</span>
          <Tag>{settings.roles[role]}</Tag>
          <span className="text-muted">
            {folder === undefined ? settings.wholeWorkspace : settings.inFolder(folder)}
          </span>
        </>
      )}
      actions={(binding) => [revoke(workspace, binding)]}
      add={[grant(workspace)]}
    />
  );
}

function grant({ api }: CurrentWorkspace): FormAction {
  return {
    label: settings.grant,
    role: "admin",
    fields: [
      {
        name: "subject",
        label: settings.subject,
        help: settings.subjectHelp,
        kind: TEXT,
        isRequired: true,
        placeholder: "user:ada",
      },
      {
        name: "role",
        label: settings.role,
        kind: choice(GRANTED.map((role) => [role, settings.roles[role]])),
        initial: "viewer",
      },
      { name: "folder", label: settings.folder, help: settings.folderHelp, kind: TEXT },
    ],
    act: async ({ subject, role, folder }) => {
      const granted = GRANTED.find((name) => name === role) ?? "viewer";
      const body = { subject: String(subject), role: granted, ...present("folder", folder as string | undefined) };
      await result(api.POST("/roles", { body }));
      return null;
    },
    command: ({ subject, role, folder }) => [
      "roles",
      "grant",
      subject || "SUBJECT",
      role ?? "viewer",
      ...(folder ? ["--folder", folder] : []),
    ],
  };
}

function revoke({ api }: CurrentWorkspace, { subject, folder }: RoleBinding): FormAction {
  return {
    label: settings.revoke,
    title: `${settings.revoke} ${subject}`,
    help: settings.revokeHelp,
    role: "admin",
    kind: "danger",
    act: async () => {
      await result(api.DELETE("/roles", { params: { query: { subject, ...present("folder", folder) } } }));
      return null;
    },
    command: () => ["roles", "revoke", subject, ...(folder === undefined ? [] : ["--folder", folder])],
  };
}
