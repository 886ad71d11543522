import { type Bar, heightOf, rowsOf } from "#/pages/home/activity_bars.ts";
import { clockText } from "#/parts/time.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly title: string;
  /** What matters most, as a number with its unit. */
  readonly headline: string;
  readonly detail: string;
  readonly bars: readonly Bar[];
  /** The largest value in words, at the top of the chart. */
  readonly top: (most: number) => string;
}

const HEIGHT = 40;

/** A chart with a bar for each minute. People who do not see it get its headline and a table. */
export function ActivityChart({ title, headline, detail, bars, top }: Props) {
  const most = Math.max(0, ...bars.map(heightOf));
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-medium">{title}</h3>
        <span className="text-xs text-muted">{detail}</span>
        <span className="w-full text-lg font-semibold tabular-nums">{headline}</span>
      </figcaption>
      <div aria-hidden="true" className="mt-1">
        <p className="h-4 text-right text-xs text-muted tabular-nums">{most > 0 ? top(most) : ""}</p>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${Math.max(1, bars.length)} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-16 w-full border-b border-line-strong"
        >
          {bars.map((bar, at) => (
            <Column key={bar.time} bar={bar} at={at} most={most} />
          ))}
        </svg>
        <p className="flex justify-between text-xs text-muted tabular-nums">
          <span>{bars[0] === undefined ? "" : shortClock(bars[0].time)}</span>
          <span>{words.home.now}</span>
        </p>
      </div>
      <table className="sr-only">
        <caption>{title}</caption>
        <tbody>
          {rowsOf(bars).map((bar) => (
            <tr key={bar.time}>
              <th scope="row">{shortClock(bar.time)}</th>
              <td>{bar.title}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function Column({ bar, at, most }: { bar: Bar; at: number; most: number }) {
  let ground = HEIGHT;
  return (
    <g>
      <title>{`${shortClock(bar.time)} · ${bar.title}`}</title>
      <rect x={at} y={0} width={1} height={HEIGHT} fill="transparent" />
      {bar.parts.map((part) => {
        // A minute in which little happened shows, too.
        const height = part.value === 0 || most === 0 ? 0 : Math.max(1.5, (part.value / most) * HEIGHT);
        ground -= height;
        return (
          <rect
            key={part.className}
            x={at + 0.1}
            y={Math.max(0, ground)}
            width={0.8}
            height={height}
            fill="currentColor"
            className={part.className}
          />
        );
      })}
    </g>
  );
}

/** The time of the day without seconds. */
function shortClock(time: number): string {
  return clockText(time).replace(/:\d\d$/, "");
}
