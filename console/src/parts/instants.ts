/** A part of a text of the server: words, or an instant such as `2026-11-27T20:13:45.530713Z`. */
export type TextPart =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "instant"; readonly text: string };

const INSTANT = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))(?![\w:])/;

/** Finds the instants in a text of the server, so that they can be shown in the zone of the person. */
export function textParts(text: string): readonly TextPart[] {
  return text
    .split(INSTANT)
    .map((part, index): TextPart => {
      const isInstant = index % 2 === 1 && !Number.isNaN(Date.parse(part));
      return { kind: isInstant ? "instant" : "words", text: part };
    })
    .filter((part) => part.text !== "");
}
