import { Link } from "@tanstack/react-router";
import { useCurrentInView } from "#/parts/use_current_in_view.ts";
import { words } from "#/words/words.ts";

interface Tab {
  readonly key: string;
  readonly name: string;
  /** Address of the tab. */
  readonly to: string;
}

/** Tabs that are pages of their own. */
export function LinkTabs({ tabs, current }: { tabs: readonly Tab[]; current: string }) {
  const row = useCurrentInView(`${current} ${tabs.length}`);
  return (
    <nav ref={row} className="flex gap-1 overflow-x-auto border-b border-line" aria-label={words.shell.sections}>
      {tabs.map(({ key, name, to }) => (
        <Link
          key={key}
          to={to as "/"}
          aria-current={key === current ? "page" : undefined}
          className={`-mb-px border-b-2 px-3 py-2 text-sm whitespace-nowrap -outline-offset-2 ${
            key === current ? "border-accent font-semibold" : "border-transparent text-muted hover:text-text"
          }`}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
