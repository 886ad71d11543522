package dev.millrace.e2e.attack;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A caller who submits a run ten times a second on a connection of its own, and repeats a call that is refused for load. */
final class CalmCaller implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 100;
    private static final long CALL_SECONDS_MAX = 30;

    private final ManagedChannel channel;
    private final String token;
    private final String workspace;
    private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    /** What the calls took. */
    record Times(int calls, long medianMillis, long slowestMillis, List<String> problems) {
        @Override
        public String toString() {
            return calls + " submissions, median " + medianMillis + " ms, slowest " + slowestMillis + " ms, problems "
                    + problems;
        }
    }

    CalmCaller(String scheduler, String token, String workspace) {
        this.channel = ManagedChannelBuilder.forTarget(scheduler).usePlaintext().build();
        this.token = token;
        this.workspace = workspace;
        this.thread = Thread.ofPlatform().name("calm-caller").start(this::submitUntilStopped);
    }

    /** Stops after the present call. */
    Times finish() throws InterruptedException {
        stop.countDown();
        thread.join();
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        return sorted.isEmpty()
                ? new Times(0, 0, 0, List.of("no call was made"))
                : new Times(
                        sorted.size(),
                        TimeUnit.NANOSECONDS.toMillis(sorted.get(sorted.size() / 2)),
                        TimeUnit.NANOSECONDS.toMillis(sorted.getLast()),
                        List.copyOf(problems));
    }

    @Override
    public void close() {
        stop.countDown();
        channel.shutdownNow();
    }

    private void submitUntilStopped() {
        try {
            do {
                long begun = System.nanoTime();
                submit();
                nanos.add(System.nanoTime() - begun);
            } while (!stop.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void submit() throws InterruptedException {
        SubmitRunRequest request = SubmitRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRequestId(UUID.randomUUID().toString())
                .setSpec(RunSpec.newBuilder()
                        .setTarget(RunTarget.newBuilder().setHandler("nobody"))
                        .setInput(ByteString.copyFromUtf8("{}")))
                .build();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CALL_SECONDS_MAX);
        while (true) {
            try {
                var _ = RunServiceGrpc.newBlockingStub(HeavyCallers.as(token, channel))
                        .withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS)
                        .submitRun(request);
                return;
            } catch (StatusRuntimeException refusal) {
                if (refusal.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED || System.nanoTime() > end) {
                    problems.add(refusal.getStatus().toString());
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
            }
        }
    }
}
