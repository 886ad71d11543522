import { ansiSpans } from "#/pages/run/logs/ansi.ts";
import { type LogLevel, levelOf } from "#/pages/run/logs/log_level.ts";
import type { LogLine } from "#/pages/run/logs/log_lines.ts";
import { shortKey } from "#/pages/run/logs/step_column.ts";
import { useShownKey } from "#/pages/run/loops/use_branch_names.ts";
import { clockText, exactText } from "#/parts/time.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly line: LogLine;
  readonly isWrapped: boolean;
  /** Characters of the column that names the step; 0 for no column. */
  readonly stepCharacters: number;
  readonly onLink: () => void;
}

/** Python's `logging` writes all levels to stderr, so the level decides on the look. */
const LOOKS: Readonly<Record<LogLevel, string>> = {
  debug: "border-transparent text-muted",
  info: "border-transparent",
  warning: "border-waiting bg-waiting-soft",
  error: "border-failed bg-failed-soft",
};

/** A line of a log: when it arrived, which step wrote it, and what. The time leads to the line. */
export function LineView({ line, isWrapped, stepCharacters, onLink }: Props) {
  const step = useShownKey()(line.step);
  const time = line.time === "" ? undefined : Date.parse(line.time);
  const place = time === undefined ? "#" : clockText(time);
  const level = levelOf(line.text);
  const look =
    level !== undefined
      ? LOOKS[level]
      : line.stream === "stderr"
        ? "border-failed"
        : line.stream === "stdout"
          ? "border-transparent"
          : "border-accent";
  const title = [
    ...(line.stream === "stdout" ? [] : [line.stream]),
    ...(level === undefined ? [] : [words.logs.levels[level]]),
  ].join(" · ");
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        onClick={onLink}
        aria-label={`${place} ${words.logs.link}`}
        title={time === undefined ? words.logs.link : `${exactText(time)} · ${words.logs.link}`}
        className="shrink-0 self-start text-muted tabular-nums select-none hover:text-text hover:underline"
      >
        {place}
      </button>
      {stepCharacters > 0 && (
        <span
          className="shrink-0 overflow-hidden whitespace-nowrap text-muted select-none max-sm:hidden"
          style={{ width: `${stepCharacters}ch` }}
          title={step}
        >
          {shortKey(step)}
        </span>
      )}
      <span
        title={title === "" ? undefined : title}
        className={`min-w-0 flex-1 border-l-2 pl-1.5 ${look} ${isWrapped ? "break-words whitespace-pre-wrap" : "whitespace-pre"}`}
      >
        {ansiSpans(line.text).map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line keep their order
          <span key={index} className={span.className}>
            {span.text}
          </span>
        ))}
      </span>
    </>
  );
}
