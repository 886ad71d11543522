import type { Queue, QueuePause } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { pauseTag, resumeTag } from "#/pages/queues/pause_actions.ts";
import { countText } from "#/parts/amounts.ts";
import { Tag } from "#/parts/rows.tsx";
import { DurationText, TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** The queue of a tag: figures in columns, and below why its jobs wait. */
export function QueueRow({ queue, onChange }: { queue: Queue; onChange: () => void }) {
  return (
    <li className="space-y-2 border-b border-line px-4 py-3 text-sm last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <h3 className="min-w-0 flex-1 basis-48">
          <code className="font-mono font-medium break-all">{queue.tag}</code>{" "}
          {queue.workspace !== undefined && <Tag>{queue.workspace}</Tag>}{" "}
          {queue.pause !== undefined && <Tag tone="waiting">{words.states.paused}</Tag>}
        </h3>
        <dl className="flex flex-wrap gap-x-6 gap-y-2 lg:grid lg:grid-cols-[5rem_5rem_5rem_9rem_8rem] lg:gap-x-4">
          <Figure name={words.queues.waiting}>
            {countText(queue.waiting)}
            {queue.has_more_waiting && "+"}
          </Figure>
          <Figure name={words.queues.oldest}>
            <DurationText from={queue.oldest_time} to={undefined} />
          </Figure>
          <Figure name={words.queues.running}>{countText(queue.running)}</Figure>
          <Figure name={words.queues.slots}>{words.queues.slotsOf(queue.slots, queue.workers)}</Figure>
          <Figure name={words.queues.rates}>
            {rateText(queue.rate.enqueued_per_second)} / {rateText(queue.rate.leased_per_second)}
          </Figure>
        </dl>
        <div className="lg:w-24">
          {queue.pause === undefined ? (
            <FormButton action={pauseTag(queue.tag)} onDone={onChange} />
          ) : (
            <FormButton action={resumeTag(queue.tag)} onDone={onChange} />
          )}
        </div>
      </div>
      {queue.pause !== undefined && <Pause pause={queue.pause} />}
      {queue.reasons.map((reason) => (
        <p key={reason} className="max-w-prose break-words text-muted">
          {reason}
        </p>
      ))}
    </li>
  );
}

function Pause({ pause }: { pause: QueuePause }) {
  return (
    <p className="break-words text-waiting">
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
    <div className="min-w-16">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

/** Jobs a second, with one digit after the point below ten. */
export function rateText(perSecond: number): string {
  return perSecond === 0 ? "0" : perSecond < 10 ? perSecond.toFixed(1) : countText(perSecond);
}
