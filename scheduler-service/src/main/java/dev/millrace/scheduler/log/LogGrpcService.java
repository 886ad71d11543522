package dev.millrace.scheduler.log;

import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.ListLogsResponse;
import dev.millrace.proto.log.v1.LogServiceGrpc;
import dev.millrace.proto.log.v1.TailLogsRequest;
import dev.millrace.proto.log.v1.TailLogsResponse;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.rpc.PacedStream;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Serves logs over gRPC. */
public final class LogGrpcService extends LogServiceGrpc.LogServiceImplBase {
    /** How often a follower looks for chunks that other schedulers have stored. */
    private static final Duration HEALING_INTERVAL = Duration.ofMillis(500);

    private final LogReader logs;
    private final RunPhases runs;
    private final RunEvents events;
    private final Followers followers;

    public LogGrpcService(LogReader logs, RunPhases runs, RunEvents events, Followers followers) {
        this.logs = logs;
        this.runs = runs;
        this.events = events;
        this.followers = followers;
    }

    @Override
    public void listLogs(ListLogsRequest request, StreamObserver<ListLogsResponse> observer) {
        RunId run = runs.resolve(RequestFields.run(request.getWorkspace(), request.getRunId()));
        Optional<JobId> job = RequestFields.jobId(request.getJobId());
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        List<LogChunk> chunks = logs.read(run, job, page.afterNumber(LogReader.BEGINNING), page.size());
        Unary.answer(
                observer,
                ListLogsResponse.newBuilder()
                        .addAllChunks(chunks.stream().map(LogProtos::chunk).toList())
                        .setNextPageToken(nextToken(run, job, chunks))
                        .build());
    }

    @Override
    public void tailLogs(TailLogsRequest request, StreamObserver<TailLogsResponse> observer) {
        RunRef run = RequestFields.run(request.getWorkspace(), request.getRunId());
        runs.resolve(run);
        Optional<JobId> job = RequestFields.jobId(request.getJobId());
        long afterPosition = request.getAfterPosition();
        followers.start(observer, stream -> tail(run, job, afterPosition, stream));
    }

    private void tail(RunRef named, Optional<JobId> job, long afterPosition, PacedStream<TailLogsResponse> stream)
            throws InterruptedException {
        RunId run = named.id();
        try (var _ = events.subscribe(run, stream::wake)) {
            long position = afterPosition;
            while (runs.phaseOf(named) == RunPhases.Phase.LIVE) {
                position = send(run, job, position, stream);
                stream.awaitChange(HEALING_INTERVAL);
            }
            logs.awaitStored();
            send(run, job, position, stream);
        }
    }

    private long send(RunId run, Optional<JobId> job, long afterPosition, PacedStream<TailLogsResponse> stream)
            throws InterruptedException {
        long position = afterPosition;
        for (List<LogChunk> chunks = next(run, job, position, stream);
                !chunks.isEmpty();
                chunks = next(run, job, position, stream)) {
            for (LogChunk chunk : chunks) {
                stream.send(TailLogsResponse.newBuilder()
                        .setChunk(LogProtos.chunk(chunk))
                        .build());
            }
            position = chunks.getLast().position();
        }
        return position;
    }

    private List<LogChunk> next(RunId run, Optional<JobId> job, long position, PacedStream<?> stream)
            throws InterruptedException {
        stream.awaitReady();
        return logs.read(run, job, position);
    }

    private String nextToken(RunId run, Optional<JobId> job, List<LogChunk> chunks) {
        if (chunks.isEmpty()) {
            return "";
        }
        long last = chunks.getLast().position();
        return logs.read(run, job, last, 1).isEmpty() ? "" : PageRequest.token(String.valueOf(last));
    }
}
