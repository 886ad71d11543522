import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import type { Run, Span } from "#/api/types.ts";
import { OnlyStep } from "#/pages/run/only_step.tsx";
import { extentOf, type SpanRow, spanRows, spansOfStep } from "#/pages/run/trace/span_tree.ts";
import { traceQuery } from "#/pages/run/trace/trace_query.ts";
import { CopyButton } from "#/parts/copy_button.tsx";
import { Icon } from "#/parts/icon.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { durationText } from "#/parts/time.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const ROW_HEIGHT = 30;
const COLUMNS = "grid grid-cols-[minmax(8rem,42%)_1fr_4.5rem] items-center gap-2 px-2";

interface Props {
  readonly run: Run;
  readonly selected: string | undefined;
  readonly onSelect: (key: string | undefined) => void;
}

/** How a run spent its time, as spans: those of the engine, of workers, and of what scripts have measured themselves. */
export function TraceTab({ run, selected, onSelect }: Props) {
  const workspace = useWorkspace();
  const trace = useQuery(traceQuery(workspace, run));
  if (trace.isPending) {
    return <Loading />;
  }
  if (trace.data === undefined) {
    return <ProblemView error={trace.error} onRetry={() => void trace.refetch()} />;
  }
  const { trace_id: id, spans = [], truncated } = trace.data;
  const shown = selected === undefined ? spans : spansOfStep(spans, selected);
  return (
    <div className="space-y-3">
      {id !== undefined && (
        <p className="flex flex-wrap items-center gap-1.5 text-sm text-muted">
          {words.common.trace}
          <code className="font-mono text-xs break-all">{id}</code>
          <CopyButton text={id} />
        </p>
      )}
      {shown.length < spans.length && selected !== undefined && (
        <OnlyStep stepKey={selected} onClear={() => onSelect(undefined)} />
      )}
      <Spans spans={shown} />
      {truncated === true && <p className="text-sm text-muted">{words.trace.truncated(spans.length)}</p>}
    </div>
  );
}

function Spans({ spans }: { spans: readonly Span[] }) {
  const [selected, setSelected] = useState<string>();
  const rows = useMemo(() => spanRows(spans), [spans]);
  const extent = useMemo(() => extentOf(spans, Date.now()), [spans]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const shown = spans.find(({ span_id }) => span_id === selected);
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className={`${COLUMNS} border-b border-line py-1 text-xs text-muted`}>
        <span>{words.trace.spans(rows.length)}</span>
        <span className="flex justify-between tabular-nums">
          <span>0</span>
          <span>{durationText(extent.end - extent.begin)}</span>
        </span>
        <span className="text-right">{words.run.duration}</span>
      </div>
      <div ref={scroller} className="max-h-[60vh] overflow-y-auto">
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <div
                key={row.span.span_id ?? item.index}
                className="absolute inset-x-0 top-0"
                style={{ height: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
              >
                <Line
                  row={row}
                  {...extent}
                  isSelected={row.span.span_id === selected}
                  onSelect={() => setSelected((before) => (before === row.span.span_id ? undefined : row.span.span_id))}
                />
              </div>
            );
          })}
        </div>
      </div>
      {shown !== undefined && <Details span={shown} />}
    </div>
  );
}

/** The name of a span; that of a step, with its whole key, since steps of all iterations have the same name. */
function labelOf({ name, attributes }: Span): string {
  const key = attributes?.["millrace.step.key"];
  return typeof key === "string" && name?.startsWith("step ") === true ? `step ${key}` : (name ?? "");
}

interface LineProps {
  readonly row: SpanRow;
  readonly begin: number;
  readonly end: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Line({ row: { span, depth }, begin, end, isSelected, onSelect }: LineProps) {
  const isFailed = span.status === "error";
  const from = span.start_time === undefined ? begin : Date.parse(span.start_time);
  const to = span.end_time === undefined ? end : Date.parse(span.end_time);
  const left = Math.min((from - begin) / (end - begin), 0.995);
  return (
    <div className={`${COLUMNS} relative h-full text-sm ${isSelected ? "bg-accent-soft" : "hover:bg-raised"}`}>
      <span className="flex min-w-0 items-center gap-1" style={{ paddingLeft: Math.min(depth, 10) * 12 }}>
        {isFailed && <Icon name="failed" className="size-3.5 text-failed" />}
        {isFailed && <span className="sr-only">{words.states.failed}</span>}
        <button
          type="button"
          data-entry
          aria-pressed={isSelected}
          title={labelOf(span)}
          onClick={onSelect}
          className="min-w-0 truncate text-left font-mono text-xs after:absolute after:inset-0"
        >
          {labelOf(span)}
        </button>
      </span>
      <span className="relative h-3">
        <span
          className={`absolute inset-y-0 min-w-[3px] rounded-[3px] ${isFailed ? "bg-failed" : "bg-accent"}`}
          style={{ left: `${left * 100}%`, width: `${Math.max((to - from) / (end - begin), 0) * 100}%` }}
        />
      </span>
      <span className="text-right text-xs text-muted tabular-nums">
        {span.end_time === undefined ? words.trace.lasts : durationText(to - from)}
      </span>
    </div>
  );
}

function Details({ span }: { span: Span }) {
  const events = span.events ?? [];
  return (
    <section aria-label={span.name ?? ""} className="space-y-2 border-t border-line p-3 text-sm">
      <h3 className="font-mono text-xs font-semibold break-all">{span.name}</h3>
      {span.status_message !== undefined && <p className="break-words text-failed">{span.status_message}</p>}
      <JsonView value={span.attributes ?? {}} label={words.trace.attributes} />
      {events.length > 0 && <JsonView value={events} label={words.trace.events} />}
    </section>
  );
}
