import { type FormEvent, useState } from "react";
import { isFiltered, type RunFilters } from "#/pages/runs/filters.ts";
import { parseViews, type SavedView, VIEW_NAME_LENGTH_MAX, withoutView, withView } from "#/pages/runs/saved_views.ts";
import { Button } from "#/parts/button.tsx";
import { Icon } from "#/parts/icon.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly filters: RunFilters;
  readonly onChange: (filters: RunFilters) => void;
}

/** The views of the list that a person has kept in this browser. */
export function SavedViews({ filters, onChange }: Props) {
  const key = `millrace-views-${useWorkspace().name}`;
  const [views, setViews] = useState(() => parseViews(localStorage.getItem(key)));
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState("");
  const keep = (changed: readonly SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(changed));
    setViews(changed);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") {
      keep(withView(views, { name: name.trim(), filters }));
      setNaming(false);
      setName("");
    }
  };
  const now = JSON.stringify(filters);
  if (views.length === 0 && !isFiltered(filters)) {
    return null;
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5 text-xs sm:ml-auto">
      {views.length > 0 && <span className="text-muted">{words.runs.views.title}</span>}
      {views.map((view) => (
        <span
          key={view.name}
          className="inline-flex min-h-8 max-w-full items-center rounded-full border border-line bg-surface"
        >
          <button
            type="button"
            aria-pressed={JSON.stringify(view.filters) === now}
            onClick={() => onChange(view.filters)}
            className="min-w-0 truncate rounded-l-full py-1 pr-1 pl-3 font-medium hover:text-accent aria-pressed:text-accent"
          >
            {view.name}
          </button>
          <button
            type="button"
            aria-label={words.runs.views.remove(view.name)}
            onClick={() => keep(withoutView(views, view.name))}
            className="inline-flex size-7 items-center justify-center rounded-r-full text-muted hover:text-text"
          >
            <Icon name="close" className="size-3" />
          </button>
        </span>
      ))}
      {isFiltered(filters) &&
        (isNaming ? (
          <form onSubmit={save} className="flex items-center gap-1.5">
            <input
              // biome-ignore lint/a11y/noAutofocus: the button that was pressed asks for this name
              autoFocus
              aria-label={words.runs.views.name}
              placeholder={words.runs.views.name}
              value={name}
              maxLength={VIEW_NAME_LENGTH_MAX}
              onChange={(event) => setName(event.target.value)}
              onKeyDown={(event) => event.key === "Escape" && setNaming(false)}
              className="min-h-8 w-40 rounded-md border border-line bg-surface px-2"
            />
            <Button type="submit">{words.runs.views.save}</Button>
          </form>
        ) : (
          <Button kind="ghost" onClick={() => setNaming(true)}>
            {words.runs.views.keep}
          </Button>
        ))}
    </div>
  );
}
