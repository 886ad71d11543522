import { type ReactNode, useEffect } from "react";
import { words } from "#/words/words.ts";

interface Props {
  readonly title: string;
  /** What stands beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The content of a page under its title. */
export function Page({ title, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} – ${words.product}`;
  }, [title]);
  return (
    <div className="mx-auto max-w-7xl space-y-4">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="min-w-0 flex-1 basis-48 text-xl font-semibold break-words">{title}</h1>
        {actions}
      </div>
      {children}
    </div>
  );
}
