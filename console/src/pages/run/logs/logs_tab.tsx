import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { FindBar } from "#/pages/run/logs/find_bar.tsx";
import { LEVELS, type LogLevel, linesFrom } from "#/pages/run/logs/log_level.ts";
import { linesOf } from "#/pages/run/logs/log_lines.ts";
import { type LogStream, RunLog } from "#/pages/run/logs/log_requests.ts";
import { LogView, type LogViewHandle } from "#/pages/run/logs/log_view.tsx";
import { chunksOf, firstPosition, lastPosition } from "#/pages/run/logs/log_window.ts";
import { type LogPlace, useLogWindow } from "#/pages/run/logs/use_log_window.ts";
import { useShownKey } from "#/pages/run/loops/use_branch_names.ts";
import { Icon } from "#/parts/icon.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly runId: string;
  /** Address of the run's logs. */
  readonly url: string;
  readonly isRunEnded: boolean;
  readonly selected: string | undefined;
  readonly onSelect: (step: string | undefined) => void;
  /** The line that the address names. */
  readonly line: string | undefined;
  readonly onLine: (line: string | undefined) => void;
}

const STREAMS: readonly LogStream[] = ["stdout", "stderr", "system", "trace"];
/** Time without a change of the place after which the window moves there. */
const PLACE_MILLIS = 150;
const PLACES = 1_000;

/** What the jobs of a run print: all of them, or those of one step. The page has a part of it, which moves as one scrolls. */
export function LogsTab({ runId, url, isRunEnded, selected, onSelect, line, onLine }: Props) {
  const workspace = useWorkspace();
  const shownKey = useShownKey();
  const [stream, setStream] = useState<LogStream>();
  const [level, setLevel] = useState<LogLevel>();
  const [isFollowing, setFollowing] = useState(!isRunEnded && line === undefined);
  const [isWrapped, setWrapped] = useState(true);
  const log = useMemo(
    () => new RunLog(workspace, runId, { step: selected, stream }),
    [workspace, runId, selected, stream],
  );
  const begin: LogPlace = line !== undefined ? positionOf(line) : isRunEnded ? "start" : "end";
  const view = useRef<LogViewHandle>(null);
  const isHeld = useCallback(() => isSelecting(view.current?.box() ?? null), []);
  const followed = `${url}${log.query === "" ? "?" : `${log.query}&`}follow=true`;
  const shown = useLogWindow(log, followed, begin, isFollowing, isHeld);
  const { window, bounds, goTo, loadEarlier, loadLater } = shown;
  const loaded = useMemo(() => linesOf(chunksOf(window)), [window]);
  const lines = useMemo(() => (level === undefined ? loaded : linesFrom(level, loaded)), [loaded, level]);
  const target = useRef(line);
  useEffect(() => {
    if (target.current !== undefined && lines.length > 0) {
      view.current?.scrollTo(target.current);
      target.current = undefined;
    }
  }, [lines]);
  const go = async (place: LogPlace, key?: string) => {
    setFollowing(false);
    target.current = key;
    await goTo(place);
  };
  const goToLine = (position: number, number: number) => {
    const key = `${position}-${number}`;
    onLine(key);
    if (!lines.some((known) => known.key === key)) {
      setLevel(undefined);
    }
    if (loaded.some((known) => known.key === key)) {
      setFollowing(false);
      target.current = key;
      view.current?.scrollTo(key);
    } else {
      void go(position, key);
    }
  };
  const toEnd = async () => {
    if (!window.isEnd) {
      await go("end");
    }
    requestAnimationFrame(() => view.current?.scrollToEnd());
  };
  const toStart = async () => {
    if (!window.isStart) {
      await go("start");
    }
    requestAnimationFrame(() => view.current?.scrollToStart());
  };
  const spot = () => {
    const from = lines.find((known) => known.key === line) ?? view.current?.firstSeen();
    const number = Number(from?.key.split("-")[1]?.split("+")[0] ?? 0);
    // The line that is marked was found already; the first one that is seen may itself be a match.
    return from === undefined ? undefined : { position: from.position, line: from.key === line ? number : number - 1 };
  };
  const steps = useMemo(
    () =>
      [...new Set([...(selected === undefined ? [] : [selected]), ...loaded.map((known) => known.step)])]
        .filter(Boolean)
        .sort(),
    [loaded, selected],
  );
  const isWhole = window.isStart && window.isEnd;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <FindBar log={log} bounds={bounds} from={spot} onFound={(match) => goToLine(match.position, match.line)} />
        {steps.length > 0 && (
          <Choice label={words.logs.step} value={selected ?? ""} onChange={(step) => onSelect(step || undefined)}>
            <option value="">{words.logs.allSteps}</option>
            {steps.map((step) => (
              <option key={step} value={step}>
                {shownKey(step)}
              </option>
            ))}
          </Choice>
        )}
        <Choice
          label={words.logs.stream}
          value={stream ?? ""}
          onChange={(name) => setStream(STREAMS.find((known) => known === name))}
        >
          <option value="">{words.logs.allStreams}</option>
          {STREAMS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Choice>
        <Choice
          label={words.logs.level}
          value={level ?? ""}
          onChange={(name) => setLevel(LEVELS.find((known) => known === name))}
        >
          <option value="">{words.logs.allLevels}</option>
          {LEVELS.map((name) => (
            <option key={name} value={name}>
              {words.logs.levels[name]}
            </option>
          ))}
        </Choice>
        {!isRunEnded && (
          <Toggle
            label={words.logs.follow}
            isOn={isFollowing}
            onChange={(isOn) => {
              setFollowing(isOn);
              if (isOn && !window.isEnd) {
                void goTo("end");
              }
            }}
          />
        )}
        <Toggle label={words.logs.wrap} isOn={isWrapped} onChange={setWrapped} />
        <a
          href={`${url}/text${log.query}`}
          download={`${runId}.log`}
          className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line bg-surface px-3 py-1 font-medium hover:bg-raised"
        >
          <Icon name="down" />
          {words.logs.download}
        </a>
      </div>
      {shown.problem !== undefined && <ProblemView error={shown.problem} onRetry={() => void goTo(begin)} />}
      {!shown.isLoaded ? (
        <Loading />
      ) : lines.length === 0 ? (
        <p className="rounded-md border border-line bg-surface p-6 text-center text-sm text-muted">
          {loaded.length > 0
            ? words.logs.noneOfLevel(loaded.length, isWhole)
            : isRunEnded
              ? words.logs.emptyEnded
              : words.logs.empty}
        </p>
      ) : (
        <LogView
          handle={view}
          lines={lines}
          marked={line}
          isWrapped={isWrapped}
          isFollowing={isFollowing}
          showsSteps={steps.length > 0 && selected === undefined}
          onNearStart={loadEarlier}
          onNearEnd={loadLater}
          onScrolled={(isAtEnd) => {
            if (isFollowing && !isAtEnd) {
              setFollowing(false);
            } else if (isAtEnd && window.isEnd && !isRunEnded && !isFollowing && !isHeld()) {
              setFollowing(true);
            }
          }}
          onKey={(key) => void (key === "End" ? toEnd() : toStart())}
          onLink={(known) => onLine(known.key)}
        />
      )}
      {shown.isLoaded && loaded.length > 0 && (
        <div className="flex flex-wrap items-center gap-3 text-xs text-muted">
          <span>{isWhole ? words.logs.lines(loaded.length) : words.logs.part(loaded.length)}</span>
          {level !== undefined && <span>{words.logs.ofLevel(lines.length, isWhole)}</span>}
          {!isWhole && (
            <Place
              first={bounds.first}
              last={bounds.last}
              from={firstPosition(window)}
              to={lastPosition(window)}
              onPlace={(position) => void go(position)}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface PlaceProps {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
  readonly onPlace: (position: number) => void;
}

/** Where in the whole log the part is that the page has; moving it goes anywhere at once. */
function Place({ first, last, from, to, onPlace }: PlaceProps) {
  const length = Math.max(1, last - first);
  const [moved, setMoved] = useState<number>();
  useEffect(() => {
    if (moved === undefined) {
      return;
    }
    const timer = setTimeout(() => {
      onPlace(Math.max(1, Math.round(first + (moved / PLACES) * length)));
      setMoved(undefined);
    }, PLACE_MILLIS);
    return () => clearTimeout(timer);
  }, [moved, first, length, onPlace]);
  const place = moved ?? Math.round((((from + to) / 2 - first) / length) * PLACES);
  return (
    <label className="flex min-w-60 flex-1 items-center gap-2">
      <span>{words.logs.place}</span>
      <input
        type="range"
        min={0}
        max={PLACES}
        value={place}
        onChange={(event) => setMoved(Number(event.target.value))}
        className="flex-1 accent-accent"
      />
      <span className="w-10 text-right tabular-nums">{Math.round((place / PLACES) * 100)} %</span>
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: React.ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="min-h-8 max-w-48 rounded-md border border-line bg-surface px-2"
    >
      {children}
    </select>
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

function positionOf(line: string): number {
  const position = Number.parseInt(line, 10);
  return Number.isSafeInteger(position) && position > 0 ? position : 1;
}

/** Whether text in this box is selected, which a change of the lines would tear away. */
function isSelecting(box: HTMLElement | null): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && (box?.contains(selection.anchorNode) ?? false);
}
