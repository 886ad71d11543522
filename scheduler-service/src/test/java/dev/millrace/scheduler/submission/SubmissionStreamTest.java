package dev.millrace.scheduler.submission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunBatchesRequest;
import dev.millrace.proto.run.v1.SubmitRunBatchesResponse;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SubmissionStreamTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER =
            new RunningScheduler().withWorkspaces("never", "repeated", "spoiled", "streamed");

    /** The responses of a stream, and how the stream ended. */
    private static final class Answers implements StreamObserver<SubmitRunBatchesResponse> {
        private final List<List<String>> batches = new ArrayList<>();
        private final CompletableFuture<Status> end = new CompletableFuture<>();

        @Override
        public synchronized void onNext(SubmitRunBatchesResponse answer) {
            batches.add(answer.getRunIdsList());
        }

        @Override
        public void onError(Throwable failure) {
            end.complete(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }

        Status end() throws Exception {
            return end.get(1, TimeUnit.MINUTES);
        }

        synchronized List<List<String>> batches() {
            return List.copyOf(batches);
        }
    }

    @Test
    void acceptsBatchAfterBatchAndAnswersInTheirOrder() throws Exception {
        var answers = new Answers();
        var batches = RunServiceGrpc.newStub(SCHEDULER.channel()).submitRunBatches(answers);
        for (int i = 0; i < 20; i++) {
            batches.onNext(batch("streamed", "", 500, "{}"));
        }
        batches.onCompleted();

        assertThat(answers.end().isOk()).isTrue();
        List<String> all = answers.batches().stream().flatMap(List::stream).toList();
        assertThat(answers.batches())
                .hasSize(20)
                .allSatisfy(ids -> assertThat(ids).hasSize(500));
        assertThat(all).doesNotHaveDuplicates().isSorted();
        assertThat(accepted("streamed")).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void answersWhatCameBeforeABadBatchAndSaysWhatIsWrongWithThat() throws Exception {
        var answers = new Answers();
        var batches = RunServiceGrpc.newStub(SCHEDULER.channel()).submitRunBatches(answers);
        batches.onNext(batch("spoiled", "", 3, "{}"));
        batches.onNext(batch("spoiled", "", 2, "[1]"));
        batches.onNext(batch("never", "", 2, "[1]"));

        Status end = answers.end();
        assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(end.getDescription()).contains("specs[0].input");
        assertThat(answers.batches()).hasSize(1);
        assertThat(accepted("spoiled"))
                .containsExactlyInAnyOrderElementsOf(answers.batches().getFirst());
    }

    @Test
    void answersARepeatedBatchWithTheRunsOfTheFirst() throws Exception {
        List<List<List<String>>> seen = new ArrayList<>();
        for (int attempt = 0; attempt < 2; attempt++) {
            var answers = new Answers();
            var batches = RunServiceGrpc.newStub(SCHEDULER.channel()).submitRunBatches(answers);
            batches.onNext(batch("repeated", "batch-1", 10, "{}"));
            batches.onNext(batch("repeated", "batch-2", 10, "{}"));
            batches.onCompleted();
            assertThat(answers.end().isOk()).isTrue();
            seen.add(answers.batches());
        }

        assertThat(seen.getLast()).isEqualTo(seen.getFirst());
        assertThat(accepted("repeated")).hasSize(20);
    }

    private static SubmitRunBatchesRequest batch(String workspace, String requestId, int jobs, String input) {
        RunSpec spec = RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setHandler("nobody"))
                .setInput(ByteString.copyFromUtf8(input))
                .build();
        SubmitRunBatchesRequest.Builder batch =
                SubmitRunBatchesRequest.newBuilder().setWorkspace(workspace).setRequestId(requestId);
        for (int i = 0; i < jobs; i++) {
            batch.addSpecs(spec);
        }
        return batch.build();
    }

    private static List<String> accepted(String workspace) {
        List<String> found = new ArrayList<>();
        String token = "";
        do {
            ListRunsResponse page = SCHEDULER
                    .runs()
                    .listRuns(ListRunsRequest.newBuilder()
                            .setWorkspace(workspace)
                            .setPageSize(1_000)
                            .setPageToken(token)
                            .build());
            page.getRunsList().stream().map(Run::getId).forEach(found::add);
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return found;
    }
}
