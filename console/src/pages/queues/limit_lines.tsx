import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { LimitLine } from "#/api/types.ts";
import { useWorkspaceEvents } from "#/live/use_workspace_events.ts";
import { OF_WORK } from "#/live/wanted.ts";
import { limitsQuery } from "#/pages/queues/queries.ts";
import { countText } from "#/parts/amounts.ts";
import { Loaded } from "#/parts/loaded.tsx";
import { Row, Rows, Section, Tag } from "#/parts/rows.tsx";
import { RunLink } from "#/parts/run_link.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** The lines in which jobs and runs of the workspace wait for limits. */
export function LimitLines() {
  const workspace = useWorkspace();
  const limits = useQuery(limitsQuery(workspace));
  useWorkspaceEvents(workspace.url, OF_WORK, () => void limits.refetch());
  return (
    <Section title={words.queues.limits}>
      <Loaded query={limits}>
        {({ items = [], next_page_token }) =>
          items.length === 0 ? (
            <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">{words.queues.noLimits}</p>
          ) : (
            <>
              <Rows label={words.queues.limits}>
                {items.map((line) => (
                  <Line key={`${line.kind} ${line.flow} ${line.key}`} line={line} />
                ))}
              </Rows>
              {next_page_token !== undefined && next_page_token !== "" && (
                <p className="text-xs text-muted">{words.queues.moreLimits}</p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function Line({ line }: { line: LimitLine }) {
  return (
    <Row>
      <Tag>{words.queues.kinds[line.kind]}</Tag>
      {line.key !== "" && <code className="font-mono break-all">{line.key}</code>}
      {line.flow !== undefined && (
        <Link to="/flows/$" params={{ _splat: line.flow }} className="break-all text-accent hover:underline">
          {line.flow}
        </Link>
      )}
      <span className="tabular-nums">
        {words.queues.lineCounts(
          `${countText(line.waiting)}${line.has_more_waiting ? "+" : ""}`,
          countText(line.running),
        )}
      </span>
      <span className="text-muted">{limitText(line)}</span>
      {line.first_run_id !== undefined && (
        <span className="text-muted">
          {words.queues.first} <RunLink id={line.first_run_id} /> <TimeText time={line.first_time} />
        </span>
      )}
    </Row>
  );
}

/** What a line allows, as far as it tells. */
export function limitText({ max, rate }: LimitLine): string {
  return [
    max === undefined ? "" : words.queues.atATime(max),
    rate?.count === undefined ? "" : words.queues.perTime(rate.count, rate.per ?? ""),
  ]
    .filter((text) => text !== "")
    .join(", ");
}
