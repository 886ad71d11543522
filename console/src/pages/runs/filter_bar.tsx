import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import type { RunState } from "#/api/types.ts";
import { flowsQuery, scriptsQuery } from "#/pages/definitions/queries.ts";
import { isFiltered, RANGES, type RunFilters, STATES } from "#/pages/runs/filters.ts";
import { SavedViews } from "#/pages/runs/saved_views_bar.tsx";
import { Button } from "#/parts/button.tsx";
import { Icon } from "#/parts/icon.tsx";
import { STATE_CLASSES } from "#/parts/state_badge.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly filters: RunFilters;
  readonly onChange: (filters: RunFilters) => void;
}

const FIELD = "min-h-9 w-full rounded-md border border-line bg-surface px-2.5 text-sm placeholder:text-muted";

/** What narrows the list of runs. Texts apply when they are entered, all else at once. */
export function FilterBar({ filters, onChange }: Props) {
  const set = (changed: { [Key in keyof RunFilters]?: RunFilters[Key] | undefined }) => {
    const all = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(all));
  };
  const toggle = (state: RunState) => {
    const before = filters.state ?? [];
    const after = before.includes(state) ? before.filter((other) => other !== state) : [...before, state];
    set({ state: after.length > 0 ? after : undefined });
  };
  const workspace = useWorkspace();
  const folded = [filters.input, filters.output, filters.tag, filters.started_by, filters.since].filter(
    (value) => value !== undefined,
  );
  const [isOpen, setOpen] = useState(folded.length > 0);
  const conditions = (text: string) => (text === "" ? undefined : [text]);
  return (
    <search className="space-y-2">
      <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-[1.6fr_1.2fr_1.2fr_0.7fr_1.3fr_auto]">
        <div className="flex gap-2">
          <div className="flex-1">
            <NameField value={filters.name ?? ""} onEnter={(name) => set({ name: name || undefined })} />
          </div>
          <Button className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen((before) => !before)}>
            {words.runs.filters}
            {folded.length > 0 && ` (${folded.length})`}
          </Button>
        </div>
        <div className={`contents ${isOpen ? "" : "max-sm:hidden"}`}>
          <TextField
            label={words.runs.input}
            placeholder={words.runs.inputPlaceholder}
            value={filters.input?.[0] ?? ""}
            onEnter={(text) => set({ input: conditions(text) })}
          />
          <TextField
            label={words.runs.output}
            placeholder={words.runs.outputPlaceholder}
            value={filters.output?.[0] ?? ""}
            onEnter={(text) => set({ output: conditions(text) })}
          />
          <TextField
            label={words.runs.tag}
            placeholder={words.runs.tagPlaceholder}
            value={filters.tag ?? ""}
            onEnter={(tag) => set({ tag: tag || undefined })}
          />
          <TextField
            label={words.run.startedBy}
            placeholder={words.runs.starterPlaceholder}
            value={filters.started_by ?? ""}
            onEnter={(starter) => set({ started_by: starter || undefined })}
          />
          <select
            aria-label={words.runs.since}
            value={filters.since ?? ""}
            onChange={(event) => set({ since: (event.target.value || undefined) as RunFilters["since"] })}
            className={FIELD}
          >
            {(["", ...Object.keys(RANGES)] as (keyof typeof words.runs.ranges)[]).map((range) => (
              <option key={range} value={range}>
                {words.runs.ranges[range]}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {STATES.map((state) => {
          const isOn = filters.state?.includes(state) ?? false;
          return (
            <button
              key={state}
              type="button"
              aria-pressed={isOn}
              onClick={() => toggle(state)}
              className={`inline-flex min-h-8 items-center gap-1.5 rounded-full border px-3 text-xs font-medium ${
                isOn
                  ? `border-current ${STATE_CLASSES[state].text} ${STATE_CLASSES[state].soft}`
                  : "border-line bg-surface text-muted hover:bg-raised"
              }`}
            >
              <Icon name={state} className="size-3.5" />
              {words.states[state]}
            </button>
          );
        })}
        {isFiltered(filters) && (
          <Button kind="ghost" onClick={() => onChange({})}>
            {words.runs.clear}
          </Button>
        )}
        <SavedViews key={workspace.name} filters={filters} onChange={onChange} />
      </div>
    </search>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onEnter: (text: string) => void;
}

function NameField({ value, onEnter }: FieldProps) {
  const workspace = useWorkspace();
  const flows = useQuery(flowsQuery(workspace));
  const scripts = useQuery(scriptsQuery(workspace));
  const list = useId();
  const paths = [...(flows.data?.items ?? []), ...(scripts.data?.items ?? [])].flatMap((item) => item.path ?? []);
  return (
    <>
      <TextField
        label={words.runs.name}
        placeholder={`${words.runs.name}: ${words.runs.namePlaceholder}`}
        value={value}
        onEnter={onEnter}
        list={list}
        isFirst
      />
      <datalist id={list}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  );
}

interface TextFieldProps extends FieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly list?: string;
  readonly isFirst?: boolean;
}

function TextField({ label, placeholder, value, onEnter, list, isFirst = false }: TextFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const enter = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() !== value) {
      onEnter(text.trim());
    }
  };
  return (
    <form onSubmit={enter}>
      <input
        aria-label={label}
        title={label}
        placeholder={isFirst ? placeholder : `${label}: ${placeholder}`}
        value={text}
        list={list}
        {...(isFirst ? { "data-filter": true } : {})}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => enter()}
        className={FIELD}
      />
    </form>
  );
}
