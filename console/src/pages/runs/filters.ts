import type { Run, RunState } from "#/api/types.ts";

export const STATES: readonly RunState[] = ["queued", "running", "succeeded", "failed", "canceled"];

/** Ages that the page offers, with their milliseconds. */
export const RANGES = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;

/** What the address of the page says of the runs that are listed. */
export interface RunFilters {
  readonly name?: string;
  readonly state?: RunState[];
  readonly since?: keyof typeof RANGES;
  readonly input?: string[];
  readonly output?: string[];
  /** Of any job. */
  readonly tag?: string;
  /** Who or what started the runs: a person, a trigger with its kind and path, a kind of triggers, or a run. */
  readonly started_by?: string;
}

/** Reads the filters of an address, and drops what it does not know. */
export function parseFilters(search: Record<string, unknown>): RunFilters {
  const states = list(search.state).filter((state): state is RunState => STATES.includes(state as RunState));
  const { name, since, tag, started_by: starter } = search;
  return {
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    ...(states.length > 0 ? { state: states } : {}),
    ...(typeof since === "string" && since in RANGES ? { since: since as keyof typeof RANGES } : {}),
    ...texts("input", search.input),
    ...texts("output", search.output),
    ...(typeof tag === "string" && tag !== "" ? { tag } : {}),
    ...(typeof starter === "string" && starter !== "" ? { started_by: starter } : {}),
  };
}

/** The query of the API for these filters. */
export function apiQuery(filters: RunFilters, now: number) {
  const { name, state, since, input, output, tag, started_by: starter } = filters;
  return {
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state }),
    ...(since === undefined ? {} : { created_from: new Date(now - RANGES[since]).toISOString() }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(tag === undefined ? {} : { tag }),
    ...(starter === undefined ? {} : { started_by: starter }),
  };
}

/** The query of the stream for these filters. Times are left to the page, so that the address stays the same. */
export function feedQuery({ name, state }: RunFilters): string {
  const query = new URLSearchParams();
  if (name !== undefined) {
    query.set("name", name);
  }
  for (const one of state ?? []) {
    query.append("state", one);
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** Whether a list with these filters contains a run as it is now, apart from payloads and tags. */
export function fitsFilters({ name, state, since }: RunFilters, run: Run, now: number): boolean {
  return (
    (name === undefined || run.name === name) &&
    (state === undefined || state.includes(run.state)) &&
    (since === undefined || Date.parse(run.create_time) >= now - RANGES[since])
  );
}

/** Whether the filters look into payloads, jobs and starters, of which streams know nothing. */
export function looksIntoRuns({ input, output, tag, started_by: starter }: RunFilters): boolean {
  return (input ?? output ?? tag ?? starter) !== undefined;
}

export function isFiltered(filters: RunFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

function texts(field: "input" | "output", value: unknown): { input?: string[]; output?: string[] } {
  const conditions = list(value).filter((text) => text !== "");
  return conditions.length > 0 ? { [field]: conditions } : {};
}

function list(value: unknown): string[] {
  const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return values.map(String);
}
