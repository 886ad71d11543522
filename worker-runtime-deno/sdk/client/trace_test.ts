import { assertEquals } from "../../src/testing/asserts.ts";
import { JobSpans, registerTracing } from "../../src/tracing.ts";
import { currentTraceparent, currentTracestate } from "./trace.ts";

Deno.test("a run continues the trace of its caller", () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  assertEquals(currentTraceparent(), "");
  registerTracing();
  const spans = new JobSpans("job-1", traceparent, "one=1,two=2");

  spans.enter();
  assertEquals(currentTraceparent(), traceparent);
  assertEquals(currentTracestate(), "one=1,two=2");
  spans.leave();

  assertEquals(currentTraceparent(), "");
  assertEquals(currentTracestate(), "");
});
