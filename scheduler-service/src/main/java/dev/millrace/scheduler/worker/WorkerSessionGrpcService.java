package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.Started;
import dev.millrace.proto.worker.v1.WorkerLogs;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import dev.millrace.scheduler.config.LimitConfig;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker's side of the scheduler: one stream a session. Results go to the lanes, logs to the log writer, at once on the thread of the
 * connection; what reads or writes the database waits elsewhere, and what comes after it waits for it.
 */
final class WorkerSessionGrpcService extends WorkerSessionServiceGrpc.WorkerSessionServiceImplBase {
    private static final Logger log = LoggerFactory.getLogger(WorkerSessionGrpcService.class);
    private static final int WORKER_NAME_MAX = 128;

    private final Sessions sessions;
    private final Lanes lanes;
    private final Leases leases;
    private final StartedJobs started;
    private final RunEvents events;
    private final LogWriter logs;
    private final LimitConfig limits;
    private final InstantSource clock;

    WorkerSessionGrpcService(
            Sessions sessions,
            Lanes lanes,
            Leases leases,
            StartedJobs started,
            RunEvents events,
            LogWriter logs,
            LimitConfig limits,
            InstantSource clock) {
        this.sessions = sessions;
        this.lanes = lanes;
        this.leases = leases;
        this.started = started;
        this.events = events;
        this.logs = logs;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public StreamObserver<OpenSessionRequest> openSession(StreamObserver<OpenSessionResponse> responses) {
        // With a handler, messages to a worker that is gone are dropped. Without one they throw, until its session has
        // heard of the end, in whoever writes: in lanes after their commits, or in the scheduler's stop.
        ((ServerCallStreamObserver<OpenSessionResponse>) responses).setOnCancelHandler(() -> {});
        return new WorkerStream(responses);
    }

    /** One stream; gRPC calls it from one thread at a time. */
    private final class WorkerStream implements StreamObserver<OpenSessionRequest> {
        private final StreamObserver<OpenSessionResponse> responses;
        private final InOrder order = new InOrder();
        private @Nullable WorkerSession session;

        WorkerStream(StreamObserver<OpenSessionResponse> responses) {
            this.responses = responses;
        }

        @Override
        public void onNext(OpenSessionRequest request) {
            if (mayWait(request)) {
                order.later(() -> receive(request));
            } else {
                order.now(() -> receive(request));
            }
        }

        @Override
        public void onError(Throwable failure) {
            order.now(() -> broken(failure));
        }

        @Override
        public void onCompleted() {
            order.now(this::completed);
        }

        private void receive(OpenSessionRequest request) {
            try {
                if (session == null) {
                    session = open(request);
                } else {
                    session.heard();
                    handle(session, request);
                }
            } catch (IllegalArgumentException invalid) {
                fail(Status.INVALID_ARGUMENT.withDescription(invalid.getMessage()));
            } catch (RuntimeException failure) {
                // The error table of all calls gives it its status.
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
                sessions.disconnected(session);
            }
        }

        private void completed() {
            if (session == null) {
                responses.onCompleted();
            } else {
                session.end(Status.OK);
                sessions.disconnected(session);
            }
        }

        private void fail(Status status) {
            if (session == null) {
                responses.onError(status.asRuntimeException());
            } else {
                session.end(status);
                sessions.disconnected(session);
            }
        }

        private WorkerSession open(OpenSessionRequest request) {
            if (!request.hasHello()) {
                throw new IllegalArgumentException("The first message of a session is "
                        + request.getMessageCase().name().toLowerCase(Locale.ROOT) + " (expected: hello).");
            }
            Hello hello = request.getHello();
            if (hello.getWorkerName().isBlank() || hello.getWorkerName().length() > WORKER_NAME_MAX) {
                throw new IllegalArgumentException("hello.worker_name: \"" + hello.getWorkerName()
                        + "\" (expected: 1 to " + WORKER_NAME_MAX + " characters)");
            }
            WorkerSession opened = sessions.open(hello, responses);
            log.atInfo()
                    .addKeyValue("worker", opened.workerName())
                    .addKeyValue("session", opened.session())
                    .log("A worker has connected");
            return opened;
        }
    }

    /** Whether a message is one of those that read or write the database before they are done. */
    private static boolean mayWait(OpenSessionRequest request) {
        return switch (request.getMessageCase()) {
            case HELLO, DEMAND, HELD_FOLDERS, GOODBYE -> true;
            case RESULTS, STARTED, LOGS, HEARTBEAT, MESSAGE_NOT_SET -> false;
        };
    }

    private void handle(WorkerSession session, OpenSessionRequest request) {
        switch (request.getMessageCase()) {
            case RESULTS -> request.getResults().getResultsList().forEach(result -> attemptEnded(session, result));
            case STARTED -> request.getStarted().getJobsList().forEach(this::jobStarted);
            case LOGS -> append(session, request.getLogs());
            case DEMAND -> sessions.resize(session, request.getDemand().getSlotGroupsList());
            case HEARTBEAT -> session.answerHeartbeat();
            case HELD_FOLDERS ->
                sessions.endFolders(session, request.getHeldFolders().getGroupIdsList());
            case GOODBYE -> {
                sessions.goodbye(session);
                log.atInfo().addKeyValue("worker", session.workerName()).log("A worker has left");
            }
            case HELLO -> throw new IllegalArgumentException("hello came twice (expected: once, first of all)");
            case MESSAGE_NOT_SET ->
                throw new IllegalArgumentException("message: unset or unknown (expected: one of this version)");
        }
    }

    private void attemptEnded(WorkerSession session, JobResult result) {
        lanes.attemptEnded(
                JobId.parse(result.getJobId()),
                new LeaseToken(result.getLeaseToken()),
                SessionProtos.result(result, limits.payloadBytesMax()),
                SessionProtos.runMicros(result),
                session.workerName(),
                session);
    }

    private void jobStarted(Started message) {
        JobId job = JobId.parse(message.getJobId());
        leases.find(job)
                .filter(lease -> lease.token().equals(new LeaseToken(message.getLeaseToken())))
                .ifPresent(lease -> {
                    started.started(job, clock.instant());
                    events.changed(lease.job().run());
                });
    }

    private void append(WorkerSession session, WorkerLogs batch) {
        var _ = logs.append(LogProtos.entries(batch, leases)).whenComplete((_, failure) -> {
            if (failure == null) {
                session.logsStored(batch.getBatch());
            } else {
                // Unacknowledged, the batch is sent again when the worker reconnects.
                session.end(Status.UNAVAILABLE.withDescription(
                        "Logs cannot be stored now: reconnect and send them again."));
                sessions.disconnected(session);
            }
        });
    }
}
