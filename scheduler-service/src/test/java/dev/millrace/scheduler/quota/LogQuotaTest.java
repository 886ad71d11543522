package dev.millrace.scheduler.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.quota.v1.GetQuotasRequest;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.quota.v1.QuotaUse;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.quota.v1.SetQuotasRequest;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what becomes of the output of jobs beyond the quota of their workspace. */
class LogQuotaTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler().withWorkspaces("noisy", "calm");

    /** So little that the first line uses up the quota of the next minutes. */
    private static final long BYTES_PER_SECOND = 1;

    private static final String FIRST = "the first line\n".repeat(100);
    /** Two bytes each. */
    private static final String MORE = "é".repeat(500);

    @Test
    void outputBeyondTheQuotaIsDroppedAndTheJobAndTheOperatorSeeIt() throws InterruptedException {
        QuotaServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .setQuotas(SetQuotasRequest.newBuilder()
                        .setWorkspace("noisy")
                        .setQuotas(Quotas.newBuilder().setLogBytesPerSecondMax(BYTES_PER_SECOND))
                        .build());
        try (HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:print")) {
            List<LogChunk> noisy = logOf("noisy", worker);
            List<LogChunk> calm = logOf("calm", worker);

            assertThat(text(noisy, LogChunk.Stream.STREAM_STDOUT)).isEqualTo(FIRST);
            assertThat(text(noisy, LogChunk.Stream.STREAM_SYSTEM))
                    .isEqualTo("Output is missing from here on: the workspace prints more than its quota "
                            + "log_bytes_per_second_max allows.\n");
            assertThat(text(calm, LogChunk.Stream.STREAM_STDOUT)).isEqualTo(FIRST + MORE + MORE + MORE);
            assertThat(text(calm, LogChunk.Stream.STREAM_SYSTEM)).isEmpty();
        }
        assertThat(use("noisy").getDroppedLogBytes()).isEqualTo(3 * 2 * 500);
        assertThat(use("calm").getDroppedLogBytes()).isZero();
    }

    /** The log of a job that prints a line, and then more than a quota allows. */
    private static List<LogChunk> logOf(String workspace, HandlerWorker worker) throws InterruptedException {
        String run = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setSpec(RunningScheduler.handler("print", UnaryOperator.identity()))
                        .build())
                .getRun()
                .getId();
        Lease lease = worker.take();
        worker.started(lease);
        worker.print(lease, 0, FIRST);
        for (int sequence = 1; sequence <= 3; sequence++) {
            worker.print(lease, sequence, MORE);
        }
        worker.succeed(lease, "null");
        SCHEDULER
                .runs()
                .watchRun(WatchRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setRunId(run)
                        .build())
                .forEachRemaining(_ -> {});
        return SCHEDULER
                .logs()
                .listLogs(ListLogsRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setRunId(run)
                        .build())
                .getChunksList();
    }

    private static String text(List<LogChunk> chunks, LogChunk.Stream stream) {
        StringBuilder text = new StringBuilder();
        chunks.stream().filter(chunk -> chunk.getStream() == stream).forEach(chunk -> text.append(chunk.getText()));
        return text.toString();
    }

    private static QuotaUse use(String workspace) {
        return QuotaServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .getQuotas(GetQuotasRequest.newBuilder().setWorkspace(workspace).build())
                .getUse();
    }
}
