import type { TriggerKind } from "#/api/types.ts";
import { KINDS } from "#/pages/triggers/kinds.ts";
import { LinkTabs } from "#/parts/link_tabs.tsx";
import { words } from "#/words/words.ts";

/** The kinds of triggers, and the event handlers, as tabs. */
export function TriggerTabs({ current }: { current: TriggerKind | "handlers" }) {
  return (
    <LinkTabs
      current={current}
      tabs={[
        ...KINDS.map((kind) => ({ key: kind, name: words.triggers.kinds[kind] ?? kind, to: `/triggers/${kind}` })),
        { key: "handlers", name: words.handlers.title, to: "/triggers/handlers" },
      ]}
    />
  );
}
