import { Fragment } from "react";

/** Text of the OpenAPI document: paragraphs, with code between backticks. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text
        .trim()
        .split(/\n\s*\n/)
        .map((paragraph) => (
          <p key={paragraph} className="break-words">
            <InlineProse text={paragraph} />
          </p>
        ))}
    </>
  );
}

export function InlineProse({ text }: { text: string }) {
  return (
    <>
      {text.split("`").map((part, at) => {
        const key = `${at} ${part}`;
        return at % 2 === 1 ? (
          <code key={key} className="rounded bg-raised px-1 font-mono text-[0.9em] break-words">
            {part}
          </code>
        ) : (
          <Fragment key={key}>{part}</Fragment>
        );
      })}
    </>
  );
}
