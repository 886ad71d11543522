package dev.millrace.scheduler.log;

import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.ListLogsResponse;
import dev.millrace.proto.log.v1.LogServiceGrpc;
import dev.millrace.proto.log.v1.SearchLogsRequest;
import dev.millrace.proto.log.v1.SearchLogsResponse;
import dev.millrace.proto.log.v1.TailLogsRequest;
import dev.millrace.proto.log.v1.TailLogsResponse;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.rpc.PacedStream;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.time.Duration;

/** Serves logs over gRPC. */
public final class LogGrpcService extends LogServiceGrpc.LogServiceImplBase {
    /** How often a follower looks for chunks of which it was not told, because a message of another scheduler was lost. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(2);

    private final LogReader logs;
    private final LogSearch search;
    private final RunPhases runs;
    private final RunEvents events;
    private final Followers followers;

    public LogGrpcService(LogReader logs, LogSearch search, RunPhases runs, RunEvents events, Followers followers) {
        this.logs = logs;
        this.search = search;
        this.runs = runs;
        this.events = events;
        this.followers = followers;
    }

    @Override
    public void listLogs(ListLogsRequest request, StreamObserver<ListLogsResponse> observer) {
        RunId run = runs.resolve(RequestFields.run(request.getWorkspace(), request.getRunId()));
        LogFilter filter = LogRequestProtos.filter(request.getJobId(), request.getStep(), request.getStreamsList());
        LogRange range = LogRequestProtos.range(
                request.getAfterPosition(), request.getBeforePosition(), request.getNewestFirst());
        LogReader.Page page =
                logs.page(run, filter, range, PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListLogsResponse.newBuilder()
                        .addAllChunks(
                                page.chunks().stream().map(LogProtos::chunk).toList())
                        .setNextPageToken(page.nextToken())
                        .setFirstPosition(page.bounds().first())
                        .setLastPosition(page.bounds().last())
                        .build());
    }

    @Override
    public void searchLogs(SearchLogsRequest request, StreamObserver<SearchLogsResponse> observer) {
        RunId run = runs.resolve(RequestFields.run(request.getWorkspace(), request.getRunId()));
        LogFilter filter = LogRequestProtos.filter(request.getJobId(), request.getStep(), request.getStreamsList());
        LogRange range = LogRequestProtos.range(
                request.getAfterPosition(), request.getBeforePosition(), request.getNewestFirst());
        LineSearch wanted = LogRequestProtos.search(request.getText(), request.getMatchCase());
        LogSearch.Page page =
                search.find(run, filter, range, wanted, PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                SearchLogsResponse.newBuilder()
                        .addAllMatches(
                                page.matches().stream().map(LogProtos::match).toList())
                        .setNextPageToken(page.nextToken())
                        .setSearchedPosition(page.searchedPosition())
                        .build());
    }

    @Override
    public void tailLogs(TailLogsRequest request, StreamObserver<TailLogsResponse> observer) {
        RunRef run = RequestFields.run(request.getWorkspace(), request.getRunId());
        runs.resolve(run);
        LogFilter filter = LogRequestProtos.filter(request.getJobId(), request.getStep(), request.getStreamsList());
        long afterPosition = request.getAfterPosition();
        boolean isLive = !request.getStoredOnly();
        followers.start(observer, stream -> tail(run, filter, afterPosition, isLive, stream));
    }

    private void tail(
            RunRef named, LogFilter filter, long afterPosition, boolean isLive, PacedStream<TailLogsResponse> stream)
            throws InterruptedException {
        RunId run = named.id();
        try (var _ = events.subscribe(run, stream::wake)) {
            long position = afterPosition;
            while (isLive && runs.phaseOf(named) == RunPhases.Phase.LIVE) {
                position = send(run, filter, position, stream);
                stream.awaitChange(HEALING_INTERVAL);
            }
            logs.awaitStored();
            send(run, filter, position, stream);
        }
    }

    /** Sends what is stored after a position; returns the position of the last chunk. */
    private long send(RunId run, LogFilter filter, long afterPosition, PacedStream<TailLogsResponse> stream)
            throws InterruptedException {
        long position = afterPosition;
        while (true) {
            stream.awaitReady();
            LogPart part = logs.next(run, filter, position);
            if (part.isEnd()) {
                return position;
            }
            for (LogChunk chunk : part.chunks()) {
                stream.send(TailLogsResponse.newBuilder()
                        .setChunk(LogProtos.chunk(chunk))
                        .build());
            }
            position = part.last();
        }
    }
}
