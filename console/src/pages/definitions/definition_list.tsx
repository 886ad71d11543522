import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** A flow or a script in a list. */
export interface Definition {
  readonly path?: string;
  readonly hash?: string;
  readonly create_time?: string;
}

interface Props<T extends Definition> {
  readonly to: "/flows/$" | "/scripts/$";
  readonly items: readonly T[];
  /** The dialect of a flow, the language of a script. */
  readonly kind: (item: T) => ReactNode;
}

/** Flows or scripts by path, with a filter. */
export function DefinitionList<T extends Definition>({ to, items, kind }: Props<T>) {
  const [wanted, setWanted] = useState("");
  const shown = items.filter((item) => item.path?.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <div className="space-y-3">
      <input
        data-filter
        aria-label={words.flows.filter}
        placeholder={words.flows.filter}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        className="min-h-9 w-full max-w-md rounded-md border border-line bg-surface px-2.5 text-sm placeholder:text-muted"
      />
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{words.flows.noMatch}</p>
      ) : (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {shown.map((item) => (
            <li key={item.path} className="border-b border-line last:border-b-0">
              <Link
                to={to}
                params={{ _splat: item.path ?? "" }}
                data-entry
                className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 px-4 py-2.5 text-sm -outline-offset-2 hover:bg-raised sm:grid-cols-[1fr_8rem_8rem_6rem]"
              >
                <span className="truncate font-medium" title={item.path}>
                  {item.path}
                </span>
                <span className="text-muted max-sm:hidden">{kind(item)}</span>
                <code className="font-mono text-xs text-muted max-sm:hidden">{item.hash?.slice(0, 12)}</code>
                <span className="text-right text-muted">
                  <TimeText time={item.create_time} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
