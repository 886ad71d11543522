package dev.millrace.gateway.testing;

import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.ListLogsResponse;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.log.v1.LogMatch;
import dev.millrace.proto.log.v1.LogServiceGrpc;
import dev.millrace.proto.log.v1.SearchLogsRequest;
import dev.millrace.proto.log.v1.SearchLogsResponse;
import dev.millrace.proto.log.v1.TailLogsRequest;
import dev.millrace.proto.log.v1.TailLogsResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** One chunk for the run `run-1`; tests write to followers themselves. */
public final class FakeLogs extends LogServiceGrpc.LogServiceImplBase {

    public static final LogChunk CHUNK = LogChunk.newBuilder()
            .setRunId("run-1")
            .setJobId("job-1")
            .setStep("split")
            .setAttempt(1)
            .setSequence(7)
            .setStream(LogChunk.Stream.STREAM_STDERR)
            .setText("first\nsecond ✓")
            .setPosition(42)
            .build();

    public volatile ListLogsRequest lastList = ListLogsRequest.getDefaultInstance();
    public volatile SearchLogsRequest lastSearch = SearchLogsRequest.getDefaultInstance();
    public volatile TailLogsRequest lastTail = TailLogsRequest.getDefaultInstance();

    /** Streams opened by TailLogs, for the test to write to. */
    public final BlockingQueue<ServerCallStreamObserver<TailLogsResponse>> followers = new LinkedBlockingQueue<>();

    /** Counts down when a follower has disconnected. */
    public final CountDownLatch canceled = new CountDownLatch(1);

    /** Gets a permit each time a follower becomes ready for more. */
    public final Semaphore ready = new Semaphore(0);

    @Override
    public void listLogs(ListLogsRequest request, StreamObserver<ListLogsResponse> answer) {
        if (!request.getRunId().equals(CHUNK.getRunId())) {
            answer.onError(Refusals.notFound("run", request.getRunId()));
            return;
        }
        lastList = request;
        answer.onNext(ListLogsResponse.newBuilder()
                .addChunks(CHUNK)
                .setFirstPosition(40)
                .setLastPosition(44)
                .build());
        answer.onCompleted();
    }

    @Override
    public void searchLogs(SearchLogsRequest request, StreamObserver<SearchLogsResponse> answer) {
        lastSearch = request;
        answer.onNext(SearchLogsResponse.newBuilder()
                .addMatches(LogMatch.newBuilder()
                        .setPosition(CHUNK.getPosition())
                        .setLine(1)
                        .setStream(LogChunk.Stream.STREAM_STDERR)
                        .setText("second ✓"))
                .setSearchedPosition(43)
                .build());
        answer.onCompleted();
    }

    @Override
    public void tailLogs(TailLogsRequest request, StreamObserver<TailLogsResponse> answer) {
        var observer = (ServerCallStreamObserver<TailLogsResponse>) answer;
        observer.setOnCancelHandler(canceled::countDown);
        observer.setOnReadyHandler(ready::release);
        lastTail = request;
        followers.add(observer);
    }
}
