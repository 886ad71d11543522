import { Row, Rows, Tag } from "#/parts/rows.tsx";
import { RunLink } from "#/parts/run_link.tsx";
import { ServerText } from "#/parts/server_text.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** Something for which a schedule or trigger started a run, or did not. */
export interface Occurrence {
  readonly key: string;
  readonly name: string;
  readonly state: string;
  readonly stateText: string;
  readonly run: string | undefined;
  readonly reason: string | undefined;
  readonly time: string | undefined;
}

const TONES: Readonly<Record<string, "good" | "bad" | "waiting">> = {
  started: "good",
  refused: "bad",
  missed: "bad",
  waiting: "waiting",
  pending: "waiting",
};

/** What a schedule or trigger has started, and what it has not and why. */
export function Occurrences({ items, empty }: { items: readonly Occurrence[]; empty: string }) {
  return items.length === 0 ? (
    <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">{empty}</p>
  ) : (
    <Rows label={words.schedules.history}>
      {items.map((item) => (
        <Row key={`${item.key} ${item.time}`}>
          <Tag tone={TONES[item.state] ?? "plain"}>{item.stateText}</Tag>
          <span className="min-w-0 break-all">
            <ServerText text={item.name} />
          </span>
          <span className="text-muted">
            <TimeText time={item.time} />
          </span>
          {item.run ? <RunLink id={item.run} /> : null}
          {item.reason ? (
            <span className="w-full break-words text-muted">
              <ServerText text={item.reason} />
            </span>
          ) : null}
        </Row>
      ))}
    </Rows>
  );
}
