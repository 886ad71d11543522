import type { Queue, QueuePause } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { pauseTag, resumeTag } from "#/pages/queues/pause_actions.ts";
import { countText } from "#/parts/amounts.ts";
import { Tag } from "#/parts/rows.tsx";
import { DurationText, TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** The columns of the list of queues; a narrow page has the figures of a queue in a line below its tag. */
export const QUEUE_LAYOUT =
  "px-4 lg:grid lg:grid-cols-[minmax(8rem,1fr)_5rem_5rem_5rem_9rem_8rem_6rem] lg:items-center lg:gap-x-4";

/** The queue of a tag: figures in columns, and below why its jobs wait. */
export function QueueRow({ queue, onChange }: { queue: Queue; onChange: () => void }) {
  return (
    <li className="space-y-2 border-b border-line py-2.5 text-sm last:border-b-0">
      <div className={`${QUEUE_LAYOUT} max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-4 max-lg:gap-y-1`}>
        <h3 className="min-w-0 max-lg:flex-1">
          <code className="font-mono font-medium break-all">{queue.tag}</code>{" "}
          {queue.workspace !== undefined && <Tag>{queue.workspace}</Tag>}{" "}
          {queue.pause !== undefined && <Tag tone="waiting">{words.states.paused}</Tag>}
        </h3>
        <dl className="max-lg:order-last max-lg:flex max-lg:w-full max-lg:flex-wrap max-lg:gap-x-4 lg:contents">
          <Figure name={words.queues.waiting}>
            {countText(queue.waiting)}
            {queue.has_more_waiting && "+"}
          </Figure>
          <Figure name={words.queues.oldest}>
            <DurationText from={queue.oldest_time} to={undefined} />
          </Figure>
          <Figure name={words.queues.running}>{countText(queue.running)}</Figure>
          <Figure name={words.queues.slots}>{words.queues.slotsOf(queue.slots, queue.workers)}</Figure>
          <Figure name={words.queues.rates}>{ratesText(queue.rate)}</Figure>
        </dl>
        <div className="lg:justify-self-end">
          {queue.pause === undefined ? (
            <FormButton action={pauseTag(queue.tag)} onDone={onChange} />
          ) : (
            <FormButton action={resumeTag(queue.tag)} onDone={onChange} />
          )}
        </div>
      </div>
      {queue.pause !== undefined && <Pause pause={queue.pause} />}
      {queue.reasons.map((reason) => (
        <p key={reason} className="max-w-prose px-4 break-words text-muted">
          {reason}
        </p>
      ))}
    </li>
  );
}

function Pause({ pause }: { pause: QueuePause }) {
  return (
    <p className="px-4 break-words text-waiting">
      {words.queues.pausedBy(pause.actor)} <TimeText time={pause.pause_time} />
      {pause.until_time !== undefined && (
        <>
          {", "}
          {words.queues.until} <TimeText time={pause.until_time} />
        </>
      )}
      {pause.reason !== "" && `: ${pause.reason}`}
    </p>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0 max-lg:flex max-lg:items-baseline max-lg:gap-1.5">
      <dt className="text-xs text-muted lg:sr-only">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

/** Jobs a second that came and went; a dash if there were none. */
function ratesText({ enqueued_per_second: enqueued, leased_per_second: leased }: Queue["rate"]): string {
  return enqueued === 0 && leased === 0 ? words.queues.noRates : `${rateText(enqueued)} / ${rateText(leased)}`;
}

/** Jobs a second, with one digit after the point below ten. */
export function rateText(perSecond: number): string {
  return perSecond === 0 ? "0" : perSecond < 10 ? perSecond.toFixed(1) : countText(perSecond);
}
