import { Link } from "@tanstack/react-router";
import { usePending } from "#/pages/approvals/queries.ts";
import { detailsOf, isFor } from "#/pages/approvals/wait_details.ts";
import { HomeSection } from "#/pages/home/home_section.tsx";
import { Row, Rows } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useMayAt, useSession } from "#/shell/session.ts";
import { words } from "#/words/words.ts";

const SHOWN_MAX = 5;

/** The steps that wait for whoever looks, the oldest wait first; nothing if there are none. */
export function Asked() {
  const pending = usePending();
  const { principal } = useSession().data ?? {};
  const may = useMayAt();
  const waits = (pending.data?.pages ?? [])
    .flatMap(({ items = [] }) => items)
    .filter(({ run_name }) => may("runner", { path: run_name ?? "" }))
    .filter((wait) => principal?.kind === "local" || isFor(detailsOf(wait), principal?.name ?? ""));
  if (waits.length === 0) {
    return null;
  }
  return (
    <HomeSection title={words.home.asked} more={<Link to="/approvals">{words.home.all}</Link>}>
      <Rows label={words.home.asked}>
        {waits.slice(0, SHOWN_MAX).map((wait) => (
          <Row key={`${wait.run_id} ${wait.step}`}>
            <Link
              to="/runs/$id"
              params={{ id: wait.run_id }}
              search={{ ...(wait.step === undefined ? {} : { step: wait.step }) }}
              className="min-w-0 font-medium wrap-anywhere text-accent hover:underline"
            >
              {detailsOf(wait).title ?? words.actions.waitsFor}
            </Link>
            <span className="text-muted">{wait.run_name}</span>
            <span className="text-muted">
              <TimeText time={wait.create_time} />
            </span>
          </Row>
        ))}
      </Rows>
    </HomeSection>
  );
}
