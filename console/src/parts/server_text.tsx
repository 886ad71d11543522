import { useNow } from "#/parts/clock.ts";
import { textParts } from "#/parts/instants.ts";
import { exactText, momentText, relativeText } from "#/parts/time.ts";

/** A text of the server, in which instants are written in the zone of the person. */
export function ServerText({ text }: { text: string }) {
  return textParts(text).map((part, index) =>
    part.kind === "words" ? (
      part.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
      <Instant key={index} time={part.text} />
    ),
  );
}

function Instant({ time }: { time: string }) {
  const now = useNow();
  const millis = Date.parse(time);
  return (
    <time dateTime={time} title={`${exactText(millis)} · ${relativeText(millis, now)}`} className="whitespace-nowrap">
      {momentText(millis, now)}
    </time>
  );
}
