import { Link } from "@tanstack/react-router";
import type { DefinitionTab } from "#/pages/definitions/start_search.ts";
import { useCurrentInView } from "#/parts/use_current_in_view.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly from: "/flows/$" | "/scripts/$";
  readonly tabs: readonly (readonly [DefinitionTab, string])[];
  readonly current: DefinitionTab;
}

/** The tabs of a flow or script, as links. */
export function DefinitionTabs({ from, tabs, current }: Props) {
  const row = useCurrentInView(`${current} ${tabs.length}`);
  return (
    <nav ref={row} className="flex gap-1 overflow-x-auto border-b border-line" aria-label={words.shell.menu}>
      {tabs.map(([tab, name]) => (
        <Link
          key={tab}
          from={from}
          to={from}
          search={(before) => ({ ...before, tab })}
          replace
          resetScroll={false}
          aria-current={tab === current ? "page" : undefined}
          className={`-mb-px border-b-2 px-3 py-2 text-sm whitespace-nowrap -outline-offset-2 ${
            tab === current ? "border-accent font-semibold" : "border-transparent text-muted hover:text-text"
          }`}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
