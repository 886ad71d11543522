package dev.millrace.scheduler.worker;

import com.google.protobuf.MessageLite;
import dev.millrace.memory.MemoryPart;
import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Started;
import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.proto.worker.v1.WorkerLogs;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.config.LimitConfig;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.trace.TraceProtos;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.scheduler.worker.LogOrigins.Origin;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * gRPC service of worker sessions, with one stream per session.
 *
 * <p>The thread of the connection passes results directly to the lanes and logs to the log writer. Messages that need
 * the database are handled on another thread, and later messages wait for them.
 */
final class WorkerSessionGrpcService extends WorkerSessionServiceGrpc.WorkerSessionServiceImplBase {
    private static final Logger log = LoggerFactory.getLogger(WorkerSessionGrpcService.class);
    private static final int WORKER_NAME_MAX = 128;
    /** Maximum size of what a worker says about itself, which is stored and listed, in bytes. */
    private static final int ABOUT_BYTES_MAX = 256 << 10;
    /** Approximate memory of a result besides its text, from its arrival to its commit, in bytes. */
    private static final int RESULT_BYTES = 2 << 10;
    /** Workers send at most half as many per message. */
    private static final int RESULTS_PER_MESSAGE_MAX = 1_000;

    private final Sessions sessions;
    private final Runnable sessionExpiresSoon;
    private final Lanes lanes;
    private final LogOrigins logOrigins;
    private final Leases leases;
    private final StartedJobs started;
    private final RunEvents events;
    private final LogWriter logs;
    private final LogRoom logRoom;
    private final LimitConfig limits;
    private final InstantSource clock;
    private final MemoryPart results;
    private final Tracing tracing;

    WorkerSessionGrpcService(
            Sessions sessions,
            Runnable sessionExpiresSoon,
            Lanes lanes,
            LogOrigins logOrigins,
            Leases leases,
            StartedJobs started,
            RunEvents events,
            LogWriter logs,
            LimitConfig limits,
            InstantSource clock,
            MemoryPart results,
            Tracing tracing) {
        this.sessions = sessions;
        this.sessionExpiresSoon = sessionExpiresSoon;
        this.lanes = lanes;
        this.logOrigins = logOrigins;
        this.leases = leases;
        this.started = started;
        this.events = events;
        this.logs = logs;
        this.logRoom = new LogRoom(logs, leases);
        this.limits = limits;
        this.clock = clock;
        this.results = results;
        this.tracing = tracing;
    }

    @Override
    public StreamObserver<OpenSessionRequest> openSession(StreamObserver<OpenSessionResponse> responses) {
        // With a cancel handler, gRPC drops messages to a worker that has disconnected. Without one, such a message
        // throws an exception in the code that writes it, for example in a lane after its commit.
        var stream = (ServerCallStreamObserver<OpenSessionResponse>) responses;
        stream.setOnCancelHandler(() -> {});
        var pace = new StreamPace(stream, results, logs.memory());
        pace.begin();
        return new WorkerStream(Access.current(), responses, pace);
    }

    /** One stream. gRPC calls it from one thread at a time. */
    private final class WorkerStream implements StreamObserver<OpenSessionRequest> {
        private final Access access;
        private final StreamObserver<OpenSessionResponse> responses;
        private final StreamPace pace;
        private final InOrder order = new InOrder();
        private @Nullable WorkerSession session;
        /** Whether opening the session failed. Messages that the worker sent before it learned of this are ignored. */
        private boolean refused;

        WorkerStream(Access access, StreamObserver<OpenSessionResponse> responses, StreamPace pace) {
            this.access = access;
            this.responses = responses;
            this.pace = pace;
        }

        @Override
        public void onNext(OpenSessionRequest request) {
            var message = new Message(request, remembered(request.getLogs()));
            if (message.mayWait()) {
                int bytes = request.getSerializedSize();
                results.reserve(bytes);
                order.later(() -> {
                    try {
                        receive(message);
                    } finally {
                        results.release(bytes);
                        pace.next();
                    }
                });
            } else {
                order.now(() -> {
                    receive(message);
                    pace.next();
                });
            }
        }

        @Override
        public void onError(Throwable failure) {
            order.later(() -> broken(failure));
        }

        @Override
        public void onCompleted() {
            order.now(this::completed);
        }

        private void receive(Message message) {
            if (refused) {
                return;
            }
            OpenSessionRequest request = message.request();
            try {
                if (session == null) {
                    session = open(request);
                } else {
                    session.heard();
                    if (request.hasHeartbeat()) {
                        requireShort("heartbeat", request.getHeartbeat(), ReportedProcesses.HEARTBEAT_BYTES_MAX);
                    }
                    if (request.hasDemand()) {
                        requireShort("demand", request.getDemand(), ABOUT_BYTES_MAX);
                        requireTags(request.getDemand().getSlotGroupsList());
                    }
                    handle(session, message);
                }
            } catch (IllegalArgumentException invalid) {
                fail(Status.INVALID_ARGUMENT.withDescription(invalid.getMessage()));
            } catch (RuntimeException failure) {
                // The error table of all calls determines the status.
                fail(Status.fromThrowable(failure));
            }
        }

        private void broken(Throwable failure) {
            if (session != null) {
                log.atInfo()
                        .addKeyValue("worker", session.workerName())
                        .addKeyValue("session", session.session())
                        .addKeyValue("reason", failure.getMessage())
                        .log("A worker's stream broke");
                if (sessions.endings().broken(session)) {
                    sessionExpiresSoon.run();
                }
            }
        }

        private void completed() {
            if (session != null) {
                session.end(Status.OK);
                sessions.endings().disconnected(session);
            } else if (!refused) {
                responses.onCompleted();
            }
        }

        private void fail(Status status) {
            if (session == null) {
                refused = true;
                responses.onError(status.asRuntimeException());
            } else {
                session.end(status);
                sessions.endings().disconnected(session);
            }
        }

        private void requireTags(List<SlotGroup> groups) {
            groups.forEach(group -> access.requireTags(group.getTagsList()));
        }

        private WorkerSession open(OpenSessionRequest request) {
            if (!request.hasHello()) {
                throw new IllegalArgumentException("The first message of a session is "
                        + request.getMessageCase().name().toLowerCase(Locale.ROOT) + " (expected: hello).");
            }
            Hello hello = request.getHello();
            String name = hello.getWorkerName();
            if (name.isBlank() || name.length() > WORKER_NAME_MAX || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("hello.worker_name: \"" + name.replace("\0", "\\0")
                        + "\" (expected: 1 to " + WORKER_NAME_MAX + " characters, none of them NUL)");
            }
            requireShort(
                    "hello without leases", hello.toBuilder().clearHeldLeases().build(), ABOUT_BYTES_MAX);
            if (hello.getVersion().indexOf('\0') >= 0) {
                throw new IllegalArgumentException("hello.version: has a NUL (expected: none)");
            }
            requireTags(hello.getSlotGroupsList());
            WorkerSession opened = sessions.opening().open(hello, access, responses, pace);
            log.atInfo()
                    .addKeyValue("worker", opened.workerName())
                    .addKeyValue("session", opened.session())
                    .log("A worker has connected");
            return opened;
        }
    }

    /**
     * A message of a worker.
     *
     * @param logOrigins where its logs come from, if memory knew that when the message came
     */
    private record Message(OpenSessionRequest request, Optional<Map<LeaseKey, Origin>> logOrigins) {
        /** Whether handling the message may block on the database. */
        boolean mayWait() {
            return switch (request.getMessageCase()) {
                case HELLO, DEMAND, HELD_FOLDERS, GOODBYE -> true;
                case LOGS -> logOrigins.isEmpty();
                case RESULTS, STARTED, HEARTBEAT, MESSAGE_NOT_SET -> false;
            };
        }
    }

    private Optional<Map<LeaseKey, Origin>> remembered(WorkerLogs logs) {
        try {
            return logOrigins.remembered(logs.getLogsList());
        } catch (IllegalArgumentException malformed) {
            // The handler rejects the message.
            return Optional.empty();
        }
    }

    private void handle(WorkerSession session, Message message) {
        OpenSessionRequest request = message.request();
        switch (request.getMessageCase()) {
            case RESULTS -> attemptsEnded(session, request.getResults().getResultsList());
            case STARTED -> request.getStarted().getJobsList().forEach(this::jobStarted);
            case LOGS -> append(session, request.getLogs(), message.logOrigins());
            case DEMAND -> sessions.offers().resize(session, request.getDemand().getSlotGroupsList());
            case HEARTBEAT -> sessions.heartbeat(session, request.getHeartbeat());
            case HELD_FOLDERS ->
                sessions.endFolders(session, request.getHeldFolders().getGroupIdsList());
            case GOODBYE -> {
                sessions.endings().goodbye(session);
                log.atInfo().addKeyValue("worker", session.workerName()).log("A worker has left");
            }
            case HELLO -> throw new IllegalArgumentException("hello came twice (expected: once, first of all)");
            case MESSAGE_NOT_SET ->
                throw new IllegalArgumentException("message: unset or unknown (expected: one of this version)");
        }
    }

    private void attemptsEnded(WorkerSession session, List<JobResult> ended) {
        if (ended.size() > RESULTS_PER_MESSAGE_MAX) {
            throw new IllegalArgumentException("results.results: " + ended.size() + " entries (expected: at most "
                    + RESULTS_PER_MESSAGE_MAX + ")");
        }
        long left =
                ended.stream().mapToLong(WorkerSessionGrpcService::sizeBytes).sum();
        results.reserve(left);
        try {
            for (JobResult result : ended) {
                long bytes = sizeBytes(result);
                attemptEnded(session, result, bytes);
                left -= bytes;
            }
        } finally {
            // Nothing is left unless a result is malformed, which ends the stream.
            results.release(left);
        }
    }

    private void attemptEnded(WorkerSession session, JobResult result, long bytes) {
        JobId job = JobId.parse(result.getJobId());
        LeaseToken token = new LeaseToken(result.getLeaseToken());
        AttemptResult end = SessionProtos.result(result, limits.payloadBytesMax());
        if (result.getSpansCount() > 0) {
            takeSpans(session, job, token, result.getSpansList());
        }
        Runnable settle = () -> lanes.attemptEnded(
                job, token, end, SessionProtos.runMicros(result), session.workerName(), session, bytes);
        // Store the output of a job before accepting its result. Otherwise, nobody would send the output again if
        // worker and scheduler died in between.
        var _ = session.whenLogsStored(job).whenComplete((_, failure) -> {
            if (failure == null) {
                settle.run();
            } else {
                // The worker sends the result again after its logs.
                results.release(bytes);
            }
        });
    }

    /** Takes the spans of an attempt if its lease is known here. Others are lost, as no result depends on them. */
    private void takeSpans(WorkerSession session, JobId job, LeaseToken token, List<Span> spans) {
        leases.find(new LeaseKey(job, token))
                .ifPresent(lease -> tracing.reported(lease, TraceProtos.reported(spans, session.workerName())));
    }

    private static void requireShort(String field, MessageLite about, int bytesMax) {
        if (about.getSerializedSize() > bytesMax) {
            throw new IllegalArgumentException(
                    field + ": " + about.getSerializedSize() + " bytes (expected: at most " + bytesMax + ")");
        }
    }

    private static long sizeBytes(JobResult result) {
        return RESULT_BYTES + (long) result.getSerializedSize();
    }

    private void jobStarted(Started message) {
        JobId job = JobId.parse(message.getJobId());
        leases.find(new LeaseKey(job, new LeaseToken(message.getLeaseToken()))).ifPresent(lease -> {
            started.started(job, clock.instant());
            events.changed(lease.job().run());
        });
    }

    private void append(WorkerSession session, WorkerLogs batch, Optional<Map<LeaseKey, Origin>> rememberedOrigins) {
        List<WorkerLog> chunks = batch.getLogsList();
        Map<LeaseKey, Origin> origins = rememberedOrigins.orElseGet(() -> logOrigins.find(chunks));
        CompletableFuture<Void> stored = logs.append(logRoom.admitted(LogProtos.entries(chunks, origins)));
        session.logsAppended(
                chunks.stream().map(WorkerLog::getJobId).map(JobId::parse).collect(Collectors.toSet()), stored);
        var _ = stored.whenComplete((_, failure) -> {
            if (failure == null) {
                session.logsStored(batch.getBatch());
            } else {
                // The batch remains unacknowledged, so the worker sends it again after it reconnects.
                session.end(Status.UNAVAILABLE.withDescription(
                        "Logs cannot be stored now: reconnect and send them again."));
                sessions.endings().disconnected(session);
            }
        });
    }
}
