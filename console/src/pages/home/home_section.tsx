import type { ReactNode } from "react";

/** A part of the start page, with the way to all that it shows some of. */
export function HomeSection({ title, more, children }: { title: string; more: ReactNode; children: ReactNode }) {
  return (
    <section className="min-w-0 space-y-2">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="font-semibold">{title}</h2>
        <span className="text-sm text-accent hover:underline">{more}</span>
      </div>
      {children}
    </section>
  );
}
