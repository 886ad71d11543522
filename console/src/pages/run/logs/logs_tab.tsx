import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { ansiSpans, plainText } from "#/pages/run/logs/ansi.ts";
import type { LogLine } from "#/pages/run/logs/log_lines.ts";
import { useLiveLogs } from "#/pages/run/logs/use_logs.ts";
import { Button } from "#/parts/button.tsx";
import { Icon } from "#/parts/icon.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
import { exactText } from "#/parts/time.ts";
import { words } from "#/words/words.ts";

const LINE_HEIGHT = 20;
/** Distance from the end, in pixels, within which the view follows what is printed. */
const NEAR_END = 40;

interface Props {
  /** Address of the run's logs. */
  readonly url: string;
  readonly isRunEnded: boolean;
  readonly selected: string | undefined;
  readonly onSelect: (step: string | undefined) => void;
}

/** What the jobs of a run print: all of them, or those of one step. */
export function LogsTab({ url, isRunEnded, selected, onSelect }: Props) {
  const { lines, dropped, problem } = useLiveLogs(`${url}?follow=true`);
  const [isFollowing, setFollowing] = useState(!isRunEnded);
  const [isWrapped, setWrapped] = useState(true);
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const steps = useMemo(() => [...new Set(lines.map((line) => line.step))].filter(Boolean).sort(), [lines]);
  const shown = useMemo(
    () => (selected === undefined ? lines : lines.filter((line) => isWithin(line.step, selected))),
    [lines, selected],
  );
  const matches = useMemo(() => matchesOf(shown, wanted), [shown, wanted]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => shown[index]?.number ?? index,
    overscan: 20,
  });
  const end = shown.length;
  useEffect(() => {
    if (isFollowing && end > 0 && !isSelecting(scroller.current)) {
      virtual.scrollToIndex(end - 1, { align: "end" });
    }
  }, [isFollowing, end, virtual]);
  const goTo = (index: number) => {
    const match = matches[index];
    if (match !== undefined) {
      setFollowing(false);
      setAt(index);
      virtual.scrollToIndex(match, { align: "center" });
    }
  };
  const onScroll = () => {
    const box = scroller.current;
    if (box !== null && box.scrollHeight - box.scrollTop - box.clientHeight > NEAR_END) {
      setFollowing(false);
    }
  };
  const showsSteps = steps.length > 0 && selected === undefined;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <form
          className="flex min-w-52 flex-1 items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            goTo((at + 1) % Math.max(1, matches.length));
          }}
        >
          <input
            data-filter
            aria-label={words.logs.search}
            placeholder={words.logs.search}
            value={wanted}
            onChange={(event) => {
              setWanted(event.target.value);
              setAt(0);
            }}
            className="min-h-8 min-w-0 flex-1 rounded-md border border-line bg-surface px-2.5"
          />
          {wanted !== "" && (
            <span role="status" className="text-xs whitespace-nowrap text-muted tabular-nums">
              {words.logs.matches(Math.min(at + 1, matches.length), matches.length)}
            </span>
          )}
        </form>
        {(steps.length > 0 || selected !== undefined) && (
          <select
            aria-label={words.logs.step}
            value={selected ?? ""}
            onChange={(event) => onSelect(event.target.value || undefined)}
            className="min-h-8 max-w-48 rounded-md border border-line bg-surface px-2"
          >
            <option value="">{words.logs.allSteps}</option>
            {[...new Set([...(selected === undefined ? [] : [selected]), ...steps])].map((step) => (
              <option key={step}>{step}</option>
            ))}
          </select>
        )}
        <Toggle label={words.logs.follow} isOn={isFollowing} onChange={setFollowing} />
        <Toggle label={words.logs.wrap} isOn={isWrapped} onChange={setWrapped} />
        <Button onClick={() => download(shown)}>
          <Icon name="down" />
          {words.logs.download}
        </Button>
      </div>
      {problem !== undefined && <ProblemView error={problem} />}
      {dropped > 0 && <p className="text-xs text-waiting">{words.logs.dropped(dropped)}</p>}
      {shown.length === 0 ? (
        <p className="rounded-md border border-line bg-surface p-6 text-center text-sm text-muted">
          {isRunEnded ? words.logs.emptyEnded : words.logs.empty}
        </p>
      ) : (
        <div
          ref={scroller}
          onWheel={onScroll}
          onScroll={onScroll}
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={words.run.tabs.logs}
          className="h-[62vh] overflow-auto rounded-md border border-line bg-surface py-1 font-mono text-xs leading-5"
        >
          <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const line = shown[item.index];
              return line === undefined ? null : (
                <div
                  key={item.key}
                  data-index={item.index}
                  ref={isWrapped ? virtual.measureElement : undefined}
                  className={`absolute top-0 left-0 flex w-full gap-3 px-2 hover:bg-raised ${
                    matches[at] === item.index && wanted !== "" ? "bg-waiting-soft" : ""
                  }`}
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <span className="w-10 shrink-0 text-right text-muted select-none" title={exactTime(line)}>
                    {line.number}
                  </span>
                  {showsSteps && (
                    <span className="w-28 shrink-0 truncate text-muted select-none max-sm:hidden" title={line.step}>
                      {line.step}
                    </span>
                  )}
                  <LineText line={line} isWrapped={isWrapped} />
                </div>
              );
            })}
          </div>
        </div>
      )}
      {shown.length > 0 && <p className="text-xs text-muted">{words.logs.lines(shown.length)}</p>}
    </div>
  );
}

function LineText({ line, isWrapped }: { line: LogLine; isWrapped: boolean }) {
  const look = line.stream === "stderr" ? "border-l-2 border-failed pl-1.5" : "border-l-2 border-transparent pl-1.5";
  return (
    <span className={`min-w-0 flex-1 ${look} ${isWrapped ? "break-words whitespace-pre-wrap" : "whitespace-pre"}`}>
      {ansiSpans(line.text).map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line keep their order
        <span key={index} className={span.className}>
          {span.text}
        </span>
      ))}
    </span>
  );
}

function Toggle({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="inline-flex items-center gap-1.5 text-sm">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}

function isWithin(step: string, outer: string): boolean {
  return step === outer || step.startsWith(`${outer}.`) || step.startsWith(`${outer}[`);
}

function matchesOf(lines: readonly LogLine[], wanted: string): readonly number[] {
  const text = wanted.toLowerCase();
  return text === ""
    ? []
    : lines.flatMap((line, index) => (plainText(line.text).toLowerCase().includes(text) ? [index] : []));
}

/** Whether text in this box is selected, which a scroll would tear away. */
function isSelecting(box: HTMLElement | null): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && (box?.contains(selection.anchorNode) ?? false);
}

function exactTime(line: LogLine): string {
  return line.time === "" ? "" : exactText(Date.parse(line.time));
}

function download(lines: readonly LogLine[]): void {
  const text = lines.map((line) => `${plainText(line.text)}\n`).join("");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "logs.txt";
  link.click();
  URL.revokeObjectURL(link.href);
}
