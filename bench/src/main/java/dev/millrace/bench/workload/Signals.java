package dev.millrace.bench.workload;

import com.google.protobuf.ByteString;
import dev.millrace.bench.measure.Check;
import dev.millrace.bench.system.Installation;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.SendSignalResponse;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Sends a signal to each of many runs, with many concurrent calls. */
final class Signals {
    private static final int CALLS_AT_ONCE = 500;
    private static final double NANOS_PER_SECOND = 1e9;

    private Signals() {}

    /** Sends each run its position as payload, and returns the seconds until the last signal was received. */
    static double send(Installation installation, List<String> runs) throws InterruptedException {
        var signals = SignalServiceGrpc.newStub(installation.channel());
        Semaphore free = new Semaphore(CALLS_AT_ONCE);
        var failure = new AtomicReference<@Nullable Throwable>();
        long start = System.nanoTime();
        for (int i = 0; i < runs.size(); i++) {
            free.acquire();
            signals.sendSignal(
                    SendSignalRequest.newBuilder()
                            .setRunId(runs.get(i))
                            .setName("go")
                            .setPayload(ByteString.copyFromUtf8(Integer.toString(i)))
                            .build(),
                    new Receiver(free, failure));
        }
        free.acquire(CALLS_AT_ONCE);
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        Check.equal("what the first refused signal met with", null, failure.get());
        return seconds;
    }

    private record Receiver(Semaphore free, AtomicReference<@Nullable Throwable> failure)
            implements StreamObserver<SendSignalResponse> {
        @Override
        public void onNext(SendSignalResponse answer) {
            if (!answer.getStep().equals("wait")) {
                failure.compareAndSet(
                        null, new IllegalStateException("A signal was not taken by the step that waits."));
            }
        }

        @Override
        public void onError(Throwable refusal) {
            failure.compareAndSet(null, refusal);
            free.release();
        }

        @Override
        public void onCompleted() {
            free.release();
        }
    }
}
