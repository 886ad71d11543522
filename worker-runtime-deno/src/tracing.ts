/**
 * Gives the OpenTelemetry API a tracer, a context and propagation of trace contexts, without the API itself: scripts that
 * import `@opentelemetry/api` find them where the API looks for what an SDK has registered.
 *
 * The spans of a traced job wait in this process until the job ends, and leave before its result.
 */

import { newAsyncVariable } from "./deno_internals.ts";
import { spanFrame } from "./frames.ts";

/** Spans of one job; further ones are dropped. */
const SPANS_MAX = 999;

/** Longest text in a span, in UTF-16 units; longer texts are cut. */
const TEXT_LENGTH_MAX = 4_096;

/** Where the API looks, and a version that each 1.x of it accepts. */
const API = Symbol.for("opentelemetry.js.api.1");
const API_VERSION = "1.999.0";

/** Keys under which the API keeps a span in a context. */
const SPAN_KEY = Symbol.for("OpenTelemetry Context Key SPAN");
const JOB_KEY = Symbol.for("millrace job spans");

const KINDS = ["internal", "server", "client", "producer", "consumer"] as const;
const STATUSES = ["", "ok", "error"] as const;
const SAMPLED = 1;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

type Attributes = Record<string, unknown>;

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
  readonly traceState?: TraceState;
}

/** What other systems pass along with a trace, as the API defines it. */
interface TraceState {
  get(key: string): string | undefined;
  set(key: string, value: string): TraceState;
  unset(key: string): TraceState;
  serialize(): string;
}

interface SpanOptions {
  readonly kind?: number;
  readonly attributes?: Attributes;
  readonly startTime?: unknown;
  readonly root?: boolean;
}

/** The parts of a span of the API that are used here. */
interface ApiSpan {
  spanContext(): SpanContext;
}

/** An immutable context, as the API defines it. */
class TraceContext {
  readonly #values: ReadonlyMap<symbol, unknown>;

  constructor(values: ReadonlyMap<symbol, unknown> = new Map()) {
    this.#values = values;
  }

  getValue(key: symbol): unknown {
    return this.#values.get(key);
  }

  setValue(key: symbol, value: unknown): TraceContext {
    return new TraceContext(new Map(this.#values).set(key, value));
  }

  deleteValue(key: symbol): TraceContext {
    const values = new Map(this.#values);
    values.delete(key);
    return new TraceContext(values);
  }
}

const ROOT = new TraceContext();
const active = newAsyncVariable<TraceContext>();

/** The spans of one job that have ended. What is added after the end of the job is dropped. */
export class JobSpans {
  readonly #jobId: string;
  readonly #parent: SpanContext | undefined;
  #frames = "";
  #count = 0;
  #isOver = false;

  constructor(jobId: string, traceparent: string, tracestate = "") {
    this.#jobId = jobId;
    this.#parent = parse(traceparent, tracestate);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Makes the span of the host the current one, for all code that the caller runs from this call on. */
  enter(): void {
    if (this.#parent === undefined) return;
    active.enter(ROOT.setValue(SPAN_KEY, new SilentSpan(this.#parent)).setValue(JOB_KEY, this));
  }

  /** Returns to the context outside of jobs. */
  leave(): void {
    active.enter(ROOT);
  }

  add(span: Attributes): void {
    if (this.#isOver || this.#count >= SPANS_MAX) return;
    this.#count++;
    this.#frames += spanFrame(this.#jobId, JSON.stringify(span));
  }

  /** Ends the tracing of the job and returns the frames with its spans. */
  end(): string {
    this.#isOver = true;
    return this.#frames;
  }
}

/** A span that is not kept: it only carries the ids of its parent. */
class SilentSpan {
  readonly #context: SpanContext;

  constructor(context: SpanContext) {
    this.#context = context;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  isRecording(): boolean {
    return false;
  }

  setAttribute(): this {
    return this;
  }

  setAttributes(): this {
    return this;
  }

  addEvent(): this {
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus(): this {
    return this;
  }

  updateName(): this {
    return this;
  }

  recordException(): void {}

  end(): void {}
}

/** A span of a traced job. */
class JobSpan {
  readonly #job: JobSpans;
  readonly #scope: string;
  readonly #parent: SpanContext;
  readonly #context: SpanContext;
  readonly #kind: string;
  readonly #start: number;
  readonly #attributes: Attributes;
  readonly #events: Attributes[] = [];
  #name: string;
  #status = "";
  #statusMessage = "";
  #hasEnded = false;

  constructor(job: JobSpans, scope: string, name: string, parent: SpanContext, options: SpanOptions) {
    this.#job = job;
    this.#scope = scope;
    this.#name = name;
    this.#parent = parent;
    this.#context = { ...stateOf(parent), traceId: parent.traceId, spanId: newSpanId(), traceFlags: SAMPLED };
    this.#kind = KINDS[options.kind ?? 0] ?? "internal";
    this.#start = micros(options.startTime);
    this.#attributes = values(options.attributes);
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  isRecording(): boolean {
    return !this.#hasEnded;
  }

  setAttribute(key: string, value: unknown): this {
    return this.setAttributes({ [key]: value });
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.#attributes, values(attributes));
    return this;
  }

  addEvent(name: string, attributesOrTime?: unknown, time?: unknown): this {
    const hasAttributes = isRecord(attributesOrTime);
    this.#events.push({
      name,
      time_us: micros(hasAttributes ? time : attributesOrTime),
      attributes: values(hasAttributes ? attributesOrTime : undefined),
    });
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus(status: { readonly code: number; readonly message?: string }): this {
    this.#status = STATUSES[status.code] ?? "";
    this.#statusMessage = cut(status.message ?? "");
    return this;
  }

  updateName(name: string): this {
    this.#name = name;
    return this;
  }

  recordException(error: unknown, time?: unknown): void {
    const attributes = error instanceof Error
      ? {
        "exception.type": error.name,
        "exception.message": error.message,
        "exception.stacktrace": error.stack ?? "",
      }
      : { "exception.message": String(error) };
    this.addEvent("exception", attributes, time);
  }

  end(time?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#job.add({
      span_id: this.#context.spanId,
      parent_span_id: this.#parent.spanId,
      name: cut(this.#name),
      kind: this.#kind,
      start_us: this.#start,
      end_us: micros(time),
      attributes: this.#attributes,
      events: this.#events,
      status: this.#status,
      status_message: this.#statusMessage,
      scope: this.#scope,
    });
  }
}

/** Makes spans of the job whose code calls; outside of traced jobs they are not kept. */
class JobTracer {
  readonly #scope: string;

  constructor(scope: string) {
    this.#scope = scope;
  }

  startSpan(name: string, options: SpanOptions = {}, context: TraceContext = current()): JobSpan | SilentSpan {
    const parent = (context.getValue(SPAN_KEY) as ApiSpan | undefined)?.spanContext();
    const job = context.getValue(JOB_KEY);
    if (parent === undefined) return new SilentSpan(NO_SPAN);
    if (!(job instanceof JobSpans) || job.isOver || (parent.traceFlags & SAMPLED) === 0) return new SilentSpan(parent);
    return new JobSpan(job, this.#scope, name, parent, options);
  }

  startActiveSpan<R>(name: string, ...rest: unknown[]): R {
    const run = rest.at(-1) as (span: JobSpan | SilentSpan) => R;
    const options = rest.length > 1 ? rest[0] as SpanOptions : {};
    const context = rest.length > 2 ? rest[1] as TraceContext : current();
    const span = this.startSpan(name, options, context);
    return within(context.setValue(SPAN_KEY, span), () => run(span));
  }
}

const NO_SPAN: SpanContext = { traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 };

/**
 * Registers everything where the API looks for it, before the script is loaded. A script that brings an SDK of its own
 * must register that instead.
 */
export function registerTracing(): void {
  const place = globalThis as unknown as Record<symbol, unknown>;
  if (place[API] !== undefined) return;
  place[API] = {
    version: API_VERSION,
    trace: { getTracer: (name: string) => new JobTracer(name) },
    context: {
      active: current,
      with: (context: TraceContext, run: (...args: unknown[]) => unknown, receiver?: unknown, ...args: unknown[]) =>
        within(context, () => run.apply(receiver, args)),
      bind: (context: TraceContext, target: unknown) =>
        typeof target === "function"
          ? function (this: unknown, ...args: unknown[]): unknown {
            return within(context, () => target.apply(this, args));
          }
          : target,
      enable: () => place[API],
      disable: () => place[API],
    },
    propagation: {
      fields: () => ["traceparent", "tracestate"],
      inject: (context: TraceContext, carrier: unknown, setter: Setter = SETTER) => {
        const span = (context.getValue(SPAN_KEY) as ApiSpan | undefined)?.spanContext();
        if (span === undefined || span === NO_SPAN) return;
        setter.set(carrier, "traceparent", text(span));
        const state = span.traceState?.serialize() ?? "";
        if (state !== "") setter.set(carrier, "tracestate", state);
      },
      extract: (context: TraceContext, carrier: unknown, getter: Getter = GETTER) => {
        const given = getter.get(carrier, "traceparent");
        const state = getter.get(carrier, "tracestate");
        const span = parse(String(Array.isArray(given) ? given[0] : given ?? ""), String(state ?? ""));
        return span === undefined ? context : context.setValue(SPAN_KEY, new SilentSpan(span));
      },
      // Baggage is not handed on.
      createBaggage: () => undefined,
      getBaggage: () => undefined,
      getActiveBaggage: () => undefined,
      setBaggage: (context: TraceContext) => context,
      deleteBaggage: (context: TraceContext) => context,
    },
  };
}

interface Setter {
  set(carrier: unknown, key: string, value: string): void;
}

interface Getter {
  get(carrier: unknown, key: string): unknown;
}

const SETTER: Setter = {
  set: (carrier, key, value) => {
    if (carrier instanceof Headers) carrier.set(key, value);
    else if (isRecord(carrier)) carrier[key] = value;
  },
};

const GETTER: Getter = {
  get: (carrier, key) => carrier instanceof Headers ? carrier.get(key) : isRecord(carrier) ? carrier[key] : undefined,
};

function current(): TraceContext {
  return active.get() ?? ROOT;
}

function within<R>(context: TraceContext, run: () => R): R {
  const before = current();
  active.enter(context);
  try {
    return run();
  } finally {
    active.enter(before);
  }
}

function parse(traceparent: string, tracestate: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  return traceId === undefined || spanId === undefined || flags === undefined ? undefined : {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate === "" ? {} : { traceState: new Members(tracestate.split(",").map((part) => part.trim())) }),
  };
}

/** The state of a context, if it has one, for the contexts of its children. */
function stateOf({ traceState }: SpanContext): { readonly traceState?: TraceState } {
  return traceState === undefined ? {} : { traceState };
}

/** An immutable state of a trace: its members, `key=value`. A member that is set becomes the first. */
class Members implements TraceState {
  readonly #members: readonly string[];

  constructor(members: readonly string[]) {
    this.#members = members;
  }

  get(key: string): string | undefined {
    return this.#members.find((member) => member.startsWith(`${key}=`))?.slice(key.length + 1);
  }

  set(key: string, value: string): TraceState {
    return new Members([`${key}=${value}`, ...this.#without(key)]);
  }

  unset(key: string): TraceState {
    return new Members(this.#without(key));
  }

  serialize(): string {
    return this.#members.join(",");
  }

  #without(key: string): string[] {
    return this.#members.filter((member) => !member.startsWith(`${key}=`));
  }
}

function text({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

function newSpanId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  bytes[0] = (bytes[0] ?? 0) | 1; // An id of zeros means that there is no span.
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Microseconds since 1970 of a time as the API takes it: a date, milliseconds, or seconds and nanoseconds. */
function micros(time: unknown): number {
  if (time instanceof Date) return time.getTime() * 1_000;
  if (Array.isArray(time)) return Math.floor(Number(time[0]) * 1e6 + Number(time[1]) / 1e3);
  // Small numbers are readings of performance.now().
  if (typeof time === "number") return Math.floor((time < 1e12 ? performance.timeOrigin + time : time) * 1_000);
  return Math.floor((performance.timeOrigin + performance.now()) * 1_000);
}

function values(attributes: Attributes | undefined): Attributes {
  const result: Attributes = {};
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "number" || typeof value === "boolean") result[key] = value;
    else if (value !== undefined && value !== null) {
      result[key] = cut(typeof value === "string" ? value : JSON.stringify(value));
    }
  }
  return result;
}

function cut(value: string): string {
  return value.length <= TEXT_LENGTH_MAX ? value : value.slice(0, TEXT_LENGTH_MAX);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
