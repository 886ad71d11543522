/** The caller's trace, if the program uses OpenTelemetry. */

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly traceState?: { serialize(): string };
}

interface Context {
  getValue(key: symbol): unknown;
}

/** What `@opentelemetry/api` keeps of what an SDK has registered. */
interface Registered {
  readonly context?: { active(): Context };
}

const API = Symbol.for("opentelemetry.js.api.1");
const SPAN_KEY = Symbol.for("OpenTelemetry Context Key SPAN");

/** Returns W3C's `traceparent` of the present span; empty if there is none, or no OpenTelemetry. */
export function currentTraceparent(): string {
  const span = currentSpan();
  if (span === undefined) return "";
  const { traceId, spanId, traceFlags } = span;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** Returns W3C's `tracestate` of the present span; empty if there is none, or no OpenTelemetry. */
export function currentTracestate(): string {
  return currentSpan()?.traceState?.serialize() ?? "";
}

function currentSpan(): SpanContext | undefined {
  const api = (globalThis as unknown as Record<symbol, Registered | undefined>)[API];
  const span = api?.context?.active().getValue(SPAN_KEY) as { spanContext(): SpanContext } | undefined;
  const context = span?.spanContext();
  return context === undefined || /^0+$/.test(context.traceId) ? undefined : context;
}
