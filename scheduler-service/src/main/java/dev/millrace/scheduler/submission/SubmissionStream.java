package dev.millrace.scheduler.submission;

import dev.millrace.proto.run.v1.SubmitRunBatchesRequest;
import dev.millrace.proto.run.v1.SubmitRunBatchesResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.RequestFields;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Accepts batches of submissions while earlier ones are being committed, and responds in their order. A batch that
 * fails ends the stream, after the responses to earlier batches. gRPC calls it from one thread at a time.
 */
public final class SubmissionStream implements StreamObserver<SubmitRunBatchesRequest> {
    /** Maximum number of batches in progress. Further batches wait on the wire. */
    static final int BATCHES_MAX = 4;

    private final Submissions submissions;
    private final ServerCallStreamObserver<SubmitRunBatchesResponse> answers;
    private final AtomicBoolean refused = new AtomicBoolean();
    /** Completes once all batches so far have a response; fails with the first failure. */
    private CompletableFuture<@Nullable Void> answered = CompletableFuture.completedFuture(null);

    private SubmissionStream(Submissions submissions, ServerCallStreamObserver<SubmitRunBatchesResponse> answers) {
        this.submissions = submissions;
        this.answers = answers;
    }

    public static SubmissionStream open(Submissions submissions, StreamObserver<SubmitRunBatchesResponse> observer) {
        var answers = (ServerCallStreamObserver<SubmitRunBatchesResponse>) observer;
        answers.disableAutoRequest();
        answers.request(BATCHES_MAX);
        return new SubmissionStream(submissions, answers);
    }

    @Override
    public void onNext(SubmitRunBatchesRequest batch) {
        if (answered.isCompletedExceptionally()) {
            return;
        }
        answered = answered.thenCombine(accept(batch), (_, runs) -> answer(runs));
        var _ = answered.exceptionally(this::refuse);
    }

    /** Creates the ids in the order of the batches. Only the commit is awaited on another thread. */
    private CompletableFuture<List<RunId>> accept(SubmitRunBatchesRequest batch) {
        try {
            PreparedSubmission submission = submissions.many(
                    Access.current(),
                    RequestFields.workspace(batch.getWorkspace()),
                    batch.getRequestId(),
                    batch.getSpecsList());
            return CompletableFuture.supplyAsync(
                    () -> submissions.submit(submission).runs(), Thread::startVirtualThread);
        } catch (RuntimeException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    private @Nullable Void answer(List<RunId> runs) {
        answers.onNext(SubmitRunBatchesResponse.newBuilder()
                .addAllRunIds(runs.stream().map(RunId::toString).toList())
                .build());
        answers.request(1);
        return null;
    }

    private @Nullable Void refuse(Throwable failure) {
        if (refused.compareAndSet(false, true)) {
            answers.onError(failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
        }
        return null;
    }

    /** Batches that were received are submitted even if the caller has gone. */
    @Override
    public void onError(Throwable gone) {}

    @Override
    public void onCompleted() {
        var _ = answered.thenRun(answers::onCompleted);
    }
}
