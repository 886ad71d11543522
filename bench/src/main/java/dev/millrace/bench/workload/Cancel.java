package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.WatchRunRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Cancellation of code that stops when it is asked: a Python script, a script for Deno and a Java handler. The code tells
 * a port when it begins and when it is asked to stop.
 */
public final class Cancel implements Workload {
    /** What code sends when it begins. */
    static final int BEGUN = 'b';
    /** What code sends when it is asked to stop. */
    static final int ASKED = 'a';

    private static final int ROUNDS = 50;
    private static final int WARM_UPS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final double NANOS_PER_MILLI = 1e6;

    private static final String PYTHON = """
            import socket, time

            def main(port: int):
                with socket.create_connection(("127.0.0.1", port)) as caller:
                    caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    try:
                        caller.sendall(b"b")
                        while True:
                            time.sleep(60)
                    except BaseException:
                        caller.sendall(b"a")
                        raise
            """;
    private static final String DENO = """
            // millrace: check=off
            import type { Context } from "millrace";

            export async function main(port: number, ctx: Context) {
              const caller = await Deno.connect({ hostname: "127.0.0.1", port });
              caller.setNoDelay(true);
              const asked = new Promise((stop) => ctx.signal.addEventListener("abort", stop));
              await caller.write(new TextEncoder().encode("b"));
              await asked;
              await caller.write(new TextEncoder().encode("a"));
              caller.close();
            }
            """;

    @Override
    public String name() {
        return "cancel";
    }

    @Override
    public String description() {
        return "cancellation of code that stops when asked: Python, Deno, a Java handler; 50 runs each";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast());
                var worker = installation.startWorker(name(), WaitWorker.class);
                var port = new ServerSocket(0, WARM_UPS, InetAddress.getLoopbackAddress())) {
            port.setSoTimeout((int) PATIENCE.toMillis());
            installation.deployScript("bench/wait.py", PYTHON);
            installation.deployScript("bench/wait.ts", DENO);
            String input = "{\"port\":" + port.getLocalPort() + "}";
            var figures = new Figures(name()).add("runs_of_each_language", (long) bench.rounds(ROUNDS));
            measure(bench, figures, "python", installation, port, Specs.script("bench/wait.py", input));
            measure(bench, figures, "deno", installation, port, Specs.script("bench/wait.ts", input));
            measure(bench, figures, "java", installation, port, Specs.handler(WaitWorker.HANDLER, input));
            Check.that("the worker of the handler runs", worker.isAlive());
            return figures;
        }
    }

    private void measure(
            Bench bench, Figures figures, String language, Installation installation, ServerSocket port, RunSpec spec)
            throws Exception {
        int rounds = bench.rounds(ROUNDS);
        bench.say(name() + ": " + rounds + " runs in " + language);
        var ends = new double[rounds];
        var stops = new double[rounds];
        for (int i = -WARM_UPS; i < rounds; i++) {
            double[] times = cancel(installation, port, spec);
            if (i >= 0) {
                ends[i] = times[0];
                stops[i] = times[1];
            }
        }
        figures.add(language + "_cancel_to_end_p50_ms", Samples.of(ends).median())
                .add(language + "_cancel_to_end_p99_ms", Samples.of(ends).percentile(99))
                .add(language + "_cancel_to_code_p50_ms", Samples.of(stops).median())
                .add(language + "_cancel_to_code_p99_ms", Samples.of(stops).percentile(99));
    }

    /** Milliseconds from the cancellation until the caller sees the end of the run, and until the code is asked to stop. */
    private static double[] cancel(Installation installation, ServerSocket port, RunSpec spec) throws Exception {
        String run = installation.submit(List.of(spec)).getFirst();
        try (Socket code = port.accept();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            code.setSoTimeout((int) PATIENCE.toMillis());
            expect(code, BEGUN);
            var watching = new CountDownLatch(1);
            var ended = threads.submit(() -> ended(installation, run, watching));
            watching.await();
            long start = System.nanoTime();
            var canceled = OperationServiceGrpc.newFutureStub(installation.channel())
                    .cancelRun(CancelRunRequest.newBuilder().setRunId(run).build());
            expect(code, ASKED);
            long asked = System.nanoTime();
            var _ = canceled.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            long end = ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return new double[] {(end - start) / NANOS_PER_MILLI, (asked - start) / NANOS_PER_MILLI};
        }
    }

    /** Follows a run, and returns the time at which it was canceled. */
    private static long ended(Installation installation, String run, CountDownLatch watching) {
        var events = RunServiceGrpc.newBlockingStub(installation.channel())
                .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .watchRun(WatchRunRequest.newBuilder().setRunId(run).build());
        while (events.hasNext()) {
            var event = events.next();
            // Before the worker knows that the first job of a process has begun, it ends the process in place of
            // asking.
            if (event.hasStep() && event.getStep().hasStartTime()) {
                watching.countDown();
            }
            if (event.hasRun() && event.getRun().getState() == Run.State.STATE_CANCELED) {
                return System.nanoTime();
            }
        }
        throw new IllegalStateException("The run " + run + " ended without being canceled.");
    }

    private static void expect(Socket code, int signal) throws IOException {
        Check.equal("what the code sends", signal, code.getInputStream().read());
    }
}
