import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { result } from "#/api/client.ts";
import type { AuditEvent } from "#/api/types.ts";
import { listQuery } from "#/pages/settings/all_pages.ts";
import { Listing } from "#/pages/settings/listing.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { Tag } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;
const OUTCOMES = ["allowed", "denied", "failed", "unknown"] as const;
const TONES = { allowed: "good", denied: "bad", failed: "bad", unknown: "waiting" } as const;

interface Filter {
  readonly principal: string;
  readonly action: string;
  readonly subject: string;
}

/** Who did what, and who was refused. */
export function Audit() {
  const workspace = useWorkspace();
  const [filter, setFilter] = useState<Filter>({ principal: "", action: "", subject: "" });
  const [outcome, setOutcome] = useState<AuditEvent["outcome"]>();
  const asked = {
    ...Object.fromEntries(Object.entries(filter).filter(([, text]) => text !== "")),
    ...(outcome === undefined ? {} : { outcome }),
  };
  const events = useInfiniteQuery(
    listQuery([workspace.name, "audit", JSON.stringify(asked)], (query) =>
      result(workspace.api.GET("/audit-events", { params: { query: { ...query, ...asked } } })),
    ),
  );
  return (
    <>
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const text = (name: string) => String(data.get(name) ?? "").trim();
          setFilter({ principal: text("principal"), action: text("action"), subject: text("subject") });
          setOutcome(OUTCOMES.find((name) => name === data.get("outcome")));
        }}
      >
        {(["principal", "action", "subject"] as const).map((name, index) => (
          <input
            key={name}
            name={name}
            {...(index === 0 ? { "data-filter": true } : {})}
            aria-label={settings.audit[name]}
            placeholder={settings.audit[name]}
            className="min-h-9 min-w-0 flex-1 basis-36 rounded-md border border-line bg-surface px-2.5 text-sm placeholder:text-muted"
          />
        ))}
        <select
          name="outcome"
          aria-label={settings.audit.outcome}
          className="min-h-9 rounded-md border border-line bg-surface px-2 text-sm"
        >
          <option value="">{settings.audit.anyOutcome}</option>
          {OUTCOMES.map((name) => (
            <option key={name} value={name}>
              {settings.audit.outcomes[name]}
            </option>
          ))}
        </select>
        <button
          type="submit"
          className="min-h-9 rounded-md border border-line bg-surface px-3 text-sm font-medium hover:bg-raised"
        >
          {words.shell.search}
        </button>
      </form>
      <Listing
        title={settings.sections.audit}
        help={settings.audit.help}
        empty={settings.audit.empty}
        query={events}
        keyOf={(event) => event.id}
        row={(event) => <EventRow event={event} />}
      />
    </>
  );
}

function EventRow({ event }: { event: AuditEvent }) {
  const detail = Object.keys(event.detail ?? {}).length > 0;
  return (
    <>
      <Tag tone={TONES[event.outcome]}>{settings.audit.outcomes[event.outcome]}</Tag>
      <span className="font-medium break-all">{event.action}</span>
      {event.subject ? <span className="break-all">{event.subject}</span> : null}
      <span className="text-muted">{event.principal}</span>
      {event.address ? <span className="text-muted">{event.address}</span> : null}
      {event.count > 1 && <span className="text-muted">× {event.count}</span>}
      <span className="text-muted">
        <TimeText time={event.time} />
      </span>
      {detail && (
        <details className="w-full">
          <summary className="text-xs text-muted">{settings.audit.detail}</summary>
          <JsonView value={event.detail} label={settings.audit.detail} />
        </details>
      )}
    </>
  );
}
