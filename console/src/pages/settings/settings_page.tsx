import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { RoleBinding } from "#/api/types.ts";
import { Accounts } from "#/pages/settings/accounts.tsx";
import { Audit } from "#/pages/settings/audit.tsx";
import { People } from "#/pages/settings/people.tsx";
import { Quotas } from "#/pages/settings/quotas.tsx";
import { ResourceTypes } from "#/pages/settings/resource_types.tsx";
import { Resources } from "#/pages/settings/resources.tsx";
import { Roles } from "#/pages/settings/roles.tsx";
import { Secrets } from "#/pages/settings/secrets.tsx";
import { Storage } from "#/pages/settings/storage.tsx";
import { Tokens } from "#/pages/settings/tokens.tsx";
import { Workspaces } from "#/pages/settings/workspaces.tsx";
import { LinkTabs } from "#/parts/link_tabs.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { NotFound } from "#/shell/failures.tsx";
import { useMay } from "#/shell/session.ts";
import { words } from "#/words/words.ts";

interface SettingsSection {
  readonly key: keyof typeof words.settings.sections;
  /** The role without which the section is not offered. */
  readonly role: RoleBinding["role"];
  readonly show: () => ReactNode;
}

const SECTIONS: readonly SettingsSection[] = [
  { key: "secrets", role: "viewer", show: () => <Secrets /> },
  {
    key: "resources",
    role: "viewer",
    show: () => (
      <>
        <Resources />
        <ResourceTypes />
      </>
    ),
  },
  { key: "workspaces", role: "viewer", show: () => <Workspaces /> },
  { key: "tokens", role: "viewer", show: () => <Tokens /> },
  { key: "accounts", role: "admin", show: () => <Accounts /> },
  { key: "roles", role: "admin", show: () => <Roles /> },
  { key: "people", role: "owner", show: () => <People /> },
  { key: "quotas", role: "admin", show: () => <Quotas /> },
  { key: "audit", role: "admin", show: () => <Audit /> },
  { key: "storage", role: "owner", show: () => <Storage /> },
];

/** What is set for the workspace and the installation, as far as the caller may see it. */
export function SettingsPage() {
  const { section = "secrets" } = useParams({ strict: false });
  const may = { viewer: useMay("viewer"), admin: useMay("admin"), owner: useMay("owner") };
  const offered = SECTIONS.filter(({ role }) => role in may && may[role as keyof typeof may]);
  if (!SECTIONS.some(({ key }) => key === section)) {
    return <NotFound />;
  }
  const shown = offered.find(({ key }) => key === section);
  return (
    <Page title={words.settings.title}>
      <LinkTabs
        current={section}
        tabs={offered.map(({ key }) => ({ key, name: words.settings.sections[key], to: `/settings/${key}` }))}
      />
      {shown === undefined ? (
        <EmptyState title={words.settings.notOffered} />
      ) : (
        <div key={section} className="space-y-6">
          {shown.show()}
        </div>
      )}
    </Page>
  );
}
