import { assertEquals } from "./testing/asserts.ts";
import { JobSpans, registerTracing } from "./tracing.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

interface State {
  get(key: string): string | undefined;
  set(key: string, value: string): State;
  unset(key: string): State;
  serialize(): string;
}

interface Span {
  spanContext(): { readonly traceState?: State };
  end(): void;
  recordException(error: unknown): void;
}

/** What `@opentelemetry/api` finds and calls. */
interface Registered {
  readonly version: string;
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string): Span;
      startActiveSpan<R>(name: string, options: unknown, run: (span: Span) => R): R;
    };
  };
  readonly context: { active(): unknown };
  readonly propagation: { inject(context: unknown, carrier: unknown): void };
}

function registered(): Registered {
  registerTracing();
  return (globalThis as unknown as Record<symbol, Registered>)[Symbol.for("opentelemetry.js.api.1")] as Registered;
}

// deno-lint-ignore no-explicit-any -- frames of any kind
function framesOf(spans: JobSpans): any[] {
  return spans.end().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

Deno.test("spans of a traced job stand below the span of the host", async () => {
  const { trace, context, propagation } = registered();
  const tracer = trace.getTracer("shop");
  const spans = new JobSpans("job-1", TRACEPARENT);
  const carrier: Record<string, string> = {};

  spans.enter();
  const running = tracer.startActiveSpan("charge", { kind: 2, attributes: { order: "A-17" } }, async (span) => {
    await new Promise((done) => setTimeout(done, 1));
    propagation.inject(context.active(), carrier);
    const inner = tracer.startSpan("inner");
    inner.recordException(new Error("no card"));
    inner.end();
    span.end();
  });
  spans.leave();
  await running;

  const [inner, charge] = framesOf(spans);
  assertEquals([charge.type, charge.id, charge.span.name, charge.span.kind], ["span", "job-1", "charge", "client"]);
  assertEquals([charge.span.parent_span_id, charge.span.scope], ["00f067aa0ba902b7", "shop"]);
  assertEquals(charge.span.attributes, { order: "A-17" });
  assertEquals(inner.span.parent_span_id, charge.span.span_id);
  assertEquals(inner.span.events[0].attributes["exception.message"], "no card");
  assertEquals(carrier, { traceparent: `00-${TRACE}-${charge.span.span_id}-01` });
});

Deno.test("the state of a trace is passed on", () => {
  const { trace, context, propagation } = registered();
  const spans = new JobSpans("job-1", TRACEPARENT, "one=1,two=2");
  const carrier: Record<string, string> = {};

  spans.enter();
  const state = trace.getTracer("shop").startActiveSpan("charge", {}, (span) => {
    propagation.inject(context.active(), carrier);
    span.end();
    return span.spanContext().traceState;
  });
  spans.leave();

  assertEquals(carrier["tracestate"], "one=1,two=2");
  assertEquals([state?.get("two"), state?.get("three")], ["2", undefined]);
  assertEquals(state?.set("two", "3").unset("one").serialize(), "two=3");
});

Deno.test("code outside of traced jobs leaves no spans", () => {
  const { trace, context, propagation } = registered();
  const tracer = trace.getTracer("shop");
  const spans = new JobSpans("job-1", TRACEPARENT);
  spans.enter();
  const late = tracer.startSpan("late");
  spans.leave();
  const carrier = {};

  tracer.startActiveSpan("outside", {}, (span) => {
    propagation.inject(context.active(), carrier);
    span.end();
  });
  assertEquals(framesOf(spans), []);
  late.end();

  assertEquals([framesOf(spans), carrier], [[], {}]);
});

Deno.test("the spans of a job are limited", () => {
  const tracer = registered().trace.getTracer("loop");
  const spans = new JobSpans("job-1", TRACEPARENT);

  spans.enter();
  for (let i = 0; i < 3_000; i++) tracer.startSpan("step").end();
  spans.leave();

  assertEquals(framesOf(spans).length, 999);
});

Deno.test("each version 1.x of the API accepts what is registered", () => {
  assertEquals(/^1\.\d{3,}\.0$/.test(registered().version), true);
});
