import type { Attempt } from "#/pages/run/timeline/attempts.ts";
import { type StepNode, shownStateOf, since, spanOf, stateOf } from "#/pages/run/timeline/step_tree.ts";
import type { TimeScale } from "#/pages/run/timeline/time_scale.ts";
import type { NodeRow } from "#/pages/run/timeline/timeline_rows.ts";
import { Icon } from "#/parts/icon.tsx";
import { isEnded, STATE_CLASSES } from "#/parts/state_badge.tsx";
import { durationText } from "#/parts/time.ts";
import { words } from "#/words/words.ts";

export const ROW_HEIGHT = 34;

/** Deeper steps are not indented further. */
const DEPTH_SHOWN_MAX = 8;

const COLUMNS =
  "grid grid-cols-[minmax(7rem,34%)_1fr_4.5rem] items-center gap-2 px-2 sm:grid-cols-[minmax(12rem,28%)_1fr_5.5rem]";

/** The times of the lines below, from the start of the run, and which stretches are cut. */
export function Axis({ begin, scale }: { begin: number; scale: TimeScale }) {
  const at = (share: number) => durationText(scale.timeAt(share) - begin);
  return (
    <div className={`${COLUMNS} border-b border-line py-1 text-xs text-muted`}>
      <span />
      <span className="relative flex justify-between tabular-nums">
        <span>0</span>
        {scale.cuts.length === 0 && <span>{at(0.5)}</span>}
        <span>{at(1)}</span>
        {scale.cuts.map((cut) => (
          <span
            key={cut.from}
            title={words.timeline.cut(durationText(cut.to - cut.from))}
            className="absolute inset-y-0 truncate bg-surface text-center"
            style={{ left: `${cut.left * 100}%`, width: `${(cut.right - cut.left) * 100}%` }}
          >
            {durationText(cut.to - cut.from)}
          </span>
        ))}
      </span>
      <span className="text-right">{words.run.duration}</span>
    </div>
  );
}

export type Shape = Pick<NodeRow, "depth" | "isOpen" | "isFoldable" | "inside">;

interface LineProps extends Shape {
  readonly node: StepNode;
  /** Name of a parallel branch; none for other nodes. */
  readonly branch: string | undefined;
  readonly begin: number;
  readonly end: number;
  readonly now: number;
  readonly scale: TimeScale;
  readonly isSelected: boolean;
  /** Whether the result comes from the run before. */
  readonly isTaken: boolean;
  /** If there were several. */
  readonly attempts: readonly Attempt[];
  readonly onFold: () => void;
  readonly onSelect: () => void;
}

/** A step or a place with steps inside: its name, when it waited and ran, and for how long. */
export function TimelineLine(props: LineProps) {
  const { node, branch, depth, isOpen, isFoldable, inside, begin, end, now, scale } = props;
  const { isSelected, isTaken, attempts, onFold, onSelect } = props;
  const state = stateOf(node);
  const shown = shownStateOf(node);
  const isWait = node.step?.kind === "wait";
  const span = since(begin, spanOf(node));
  const stop = span.ended ?? (isEnded(state) ? (span.started ?? end) : now);
  const classes = STATE_CLASSES[shown];
  const waited = isWait ? span.created : undefined;
  const attempt = node.step?.attempt ?? 1;
  const title = [
    node.key || node.label,
    branch ?? "",
    words.states[shown],
    inside.all > 0 && inside.isUncounted !== true ? countText(inside) : "",
    attempt > 1 ? words.timeline.attempt(attempt) : "",
    node.step?.worker ? words.timeline.worker(node.step.worker) : "",
  ].filter(Boolean);
  const earlier = attempts.filter(({ begin: from }) => span.started === undefined || from < span.started);
  return (
    <div
      className={`${COLUMNS} relative h-full text-sm ${isSelected ? "bg-accent-soft" : "hover:bg-raised"}`}
      title={title.join(" · ")}
    >
      <span
        className="flex min-w-0 items-center gap-1 [--indent:0.45rem] sm:[--indent:0.9rem]"
        style={{ paddingLeft: `calc(${Math.min(depth, DEPTH_SHOWN_MAX)} * var(--indent))` }}
      >
        {isFoldable ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? words.timeline.collapse(node.key) : words.timeline.expand(node.key)}
            onClick={onFold}
            className="relative z-10 inline-flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-raised"
          >
            <Icon name="chevron" className={isOpen ? "rotate-90" : ""} />
          </button>
        ) : (
          <span className="w-6 shrink-0" />
        )}
        <Icon name={shown} className={`size-3.5 ${classes.text}`} />
        <span className="sr-only">{words.states[shown]}</span>
        <button
          type="button"
          data-entry
          aria-pressed={isSelected}
          onClick={onSelect}
          className="min-w-0 truncate text-left font-mono text-xs after:absolute after:inset-0"
        >
          {node.label}
          {branch && <span className="font-sans text-muted"> {branch}</span>}
        </button>
        {inside.all > 1 && (
          <span
            className="shrink-0 text-xs text-muted"
            title={inside.isUncounted === true ? words.timeline.uncounted(inside.all) : countText(inside)}
          >
            <span className="max-sm:sr-only">
              {inside.isUncounted === true ? inside.all : `${inside.ended}/${inside.all}`}
            </span>
            {inside.failed > 0 && <span className="ml-1 text-failed">✕{inside.failed}</span>}
          </span>
        )}
      </span>
      <span className="relative h-4">
        {scale.cuts.map((cut) => (
          <span
            key={cut.from}
            aria-hidden="true"
            className="absolute -inset-y-2 border-x border-dashed border-line-strong/40 bg-raised/60"
            style={{ left: `${cut.left * 100}%`, width: `${(cut.right - cut.left) * 100}%` }}
          />
        ))}
        {!isTaken && (
          <>
            <Bar
              from={span.created}
              to={span.started ?? stop}
              scale={scale}
              className={`hatched ${isWait ? "text-waiting" : "text-queued"}`}
            />
            {earlier.map((one) => (
              <Bar
                key={one.number}
                from={one.begin}
                to={one.end ?? now}
                scale={scale}
                className={`${one.hasFailed ? "bg-failed" : classes.solid} min-w-[3px]`}
                label={`${words.timeline.attempt(one.number)} ${one.hasFailed ? words.states.failed : ""}`.trim()}
              />
            ))}
            <Bar
              from={span.started}
              to={stop}
              scale={scale}
              className={`${isWait ? "hatched text-waiting" : STATE_CLASSES[state].solid} min-w-[3px]`}
            />
          </>
        )}
      </span>
      <span className="text-right text-xs text-muted tabular-nums">
        {isTaken
          ? words.compare.reused
          : isWait && span.ended !== undefined && waited !== undefined
            ? durationText(span.ended - waited)
            : span.started === undefined
              ? isWait
                ? words.timeline.waits
                : words.timeline.queued
              : durationText(stop - span.started)}
      </span>
    </div>
  );
}

/** What has become of the entries of a place, and how many have not begun. */
function countText({ all, ended, failed, begun }: Shape["inside"]): string {
  return words.timeline.counts(ended - failed, failed, begun - ended, all - begun);
}

interface BarProps {
  readonly from: number | undefined;
  readonly to: number;
  readonly scale: TimeScale;
  readonly className: string;
  /** For those who do not see it, if nothing else says the same. */
  readonly label?: string;
}

function Bar({ from, to, scale, className, label }: BarProps) {
  if (from === undefined || to < from) {
    return null;
  }
  const left = Math.min(scale.share(from), 0.995);
  return (
    <span
      className={`absolute inset-y-0 rounded-[3px] ${className}`}
      style={{ left: `${left * 100}%`, width: `${Math.max(scale.share(to) - left, 0) * 100}%` }}
    >
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}
