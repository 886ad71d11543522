import type { Span } from "#/api/types.ts";

/** A span with how deep it lies, in the order in which a person reads a trace. */
export interface SpanRow {
  readonly span: Span;
  readonly depth: number;
}

/** The spans as a tree, from the outside in. Spans whose parent is of another service are roots. */
export function spanRows(spans: readonly Span[]): readonly SpanRow[] {
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const inside = new Map<string | undefined, Span[]>();
  for (const span of spans) {
    const parent =
      ids.has(span.parent_span_id) && span.parent_span_id !== span.span_id ? span.parent_span_id : undefined;
    const beside = inside.get(parent);
    if (beside === undefined) {
      inside.set(parent, [span]);
    } else {
      beside.push(span);
    }
  }
  const rows: SpanRow[] = [];
  const add = (list: readonly Span[], depth: number) => {
    for (const span of list) {
      rows.push({ span, depth });
      if (span.span_id !== undefined) {
        add(inside.get(span.span_id) ?? [], depth + 1);
      }
    }
  };
  add(inside.get(undefined) ?? [], 0);
  return rows;
}

/** The spans of a step with those inside them; all spans if there are none of the step. */
export function spansOfStep(spans: readonly Span[], step: string): readonly Span[] {
  const found = new Set(
    spans.filter(({ attributes, scope }) => scope === undefined && attributes?.["millrace.step.key"] === step),
  );
  if (found.size === 0) {
    return spans;
  }
  const ids = new Set([...found].map(({ span_id }) => span_id));
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const span of spans) {
      if (span.parent_span_id !== undefined && ids.has(span.parent_span_id)) {
        found.add(span);
        ids.add(span.span_id);
      }
    }
  }
  return spans.filter((span) => found.has(span));
}

/** From the begin of the first span to the end of the last one, in milliseconds since 1970. */
export function extentOf(spans: readonly Span[], now: number): { readonly begin: number; readonly end: number } {
  let [begin, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { start_time, end_time } of spans) {
    begin = Math.min(begin, start_time === undefined ? now : Date.parse(start_time));
    end = Math.max(end, end_time === undefined ? now : Date.parse(end_time));
  }
  return { begin, end: Math.max(end, begin + 1) };
}
