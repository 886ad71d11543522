package dev.millrace.scheduler.worker;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Timestamps;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.trace.v1.GetRunTraceRequest;
import dev.millrace.proto.trace.v1.TraceServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what remains known of an attempt whose worker was lost. */
class LostAttemptTest {
    @RegisterExtension
    private final RunningScheduler scheduler = new RunningScheduler();

    @Test
    void lastsFromItsBeginUntilTheWorkerCountsAsLost() throws InterruptedException {
        HandlerWorker lost = new HandlerWorker(scheduler.channel(), "handler:h");
        String run = scheduler
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(handler("h", UnaryOperator.identity()))
                        .build())
                .getRun()
                .getId();
        Lease first = lost.take();
        lost.started(first);
        lost.report(ProcessReport.getDefaultInstance());
        lost.answer();

        lost.disconnect();

        try (HandlerWorker next = new HandlerWorker(scheduler.channel(), "handler:h")) {
            Lease second = next.take();
            assertThat(second.getAttempt()).isEqualTo(first.getAttempt() + 1);
            assertThat(TraceServiceGrpc.newBlockingStub(scheduler.channel())
                            .getRunTrace(GetRunTraceRequest.newBuilder()
                                    .setRunId(run)
                                    .build())
                            .getSpansList())
                    .filteredOn(span -> span.getName().equals("attempt 1"))
                    .singleElement()
                    .satisfies(span -> assertThat(Timestamps.compare(span.getStartTime(), span.getEndTime()))
                            .isNegative());
        }
    }
}
