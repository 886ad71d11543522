import { parseFilters, type RunFilters } from "#/pages/runs/filters.ts";

/** A list of runs to which a person comes back. */
export interface SavedView {
  readonly name: string;
  readonly filters: RunFilters;
}

/** Views that a person can keep for a workspace. */
export const VIEWS_MAX = 20;
export const VIEW_NAME_LENGTH_MAX = 40;

/** Reads what the browser has kept. Anything that is not a view is dropped. */
export function parseViews(text: string | null): readonly SavedView[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    return (Array.isArray(found) ? found : []).flatMap((view: Partial<SavedView> | null) =>
      typeof view?.name === "string" && view.name !== "" && typeof view.filters === "object" && view.filters !== null
        ? [{ name: view.name.slice(0, VIEW_NAME_LENGTH_MAX), filters: parseFilters({ ...view.filters }) }]
        : [],
    );
  } catch {
    return [];
  }
}

/** The views with one more, which replaces one of the same name. If there are too many, the oldest goes. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return [...withoutView(views, view.name), view].slice(-VIEWS_MAX);
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((other) => other.name !== name);
}
