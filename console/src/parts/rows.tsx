import type { ReactNode } from "react";

/** A list of entries in a box, each in a row of its own. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="overflow-hidden rounded-lg border border-line bg-surface">
      {children}
    </ul>
  );
}

/** A row: what it is about, and what can be done with it at the end of the line. */
export function Row({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 text-sm last:border-b-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-baseline gap-x-3 gap-y-1">{children}</div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </li>
  );
}

/** A section of a page with a heading. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="min-w-0 space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="flex-1 font-semibold">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** A word in a frame, for a tag or a kind. */
export function Tag({
  children,
  tone = "plain",
}: {
  children: ReactNode;
  tone?: "plain" | "good" | "bad" | "waiting";
}) {
  return <span className={`rounded px-1.5 py-0.5 text-xs font-medium break-all ${TONES[tone]}`}>{children}</span>;
}

const TONES = {
  plain: "bg-raised text-text",
  good: "bg-succeeded-soft text-succeeded",
  bad: "bg-failed-soft text-failed",
  waiting: "bg-waiting-soft text-waiting",
} as const;

/** Names and values, for what is known of one thing. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 rounded-lg border border-line bg-surface p-4 text-sm sm:grid-cols-[max-content_1fr]">
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined && value !== null && value !== "")
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted max-sm:mt-1">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
