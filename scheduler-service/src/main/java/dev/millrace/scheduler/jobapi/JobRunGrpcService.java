package dev.millrace.scheduler.jobapi;

import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.worker.v1.AwaitRunRequest;
import dev.millrace.proto.worker.v1.AwaitRunResponse;
import dev.millrace.proto.worker.v1.CancelRunRequest;
import dev.millrace.proto.worker.v1.CancelRunResponse;
import dev.millrace.proto.worker.v1.JobRunServiceGrpc;
import dev.millrace.proto.worker.v1.ReadRunRequest;
import dev.millrace.proto.worker.v1.ReadRunResponse;
import dev.millrace.proto.worker.v1.SignWaitLinksRequest;
import dev.millrace.proto.worker.v1.SignWaitLinksResponse;
import dev.millrace.proto.worker.v1.StartRunRequest;
import dev.millrace.proto.worker.v1.StartRunResponse;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.operation.Operations;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunProtos;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.signal.WaitLinkProtos;
import dev.millrace.scheduler.signal.Waits;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.text.Durations;
import io.grpc.stub.StreamObserver;
import java.time.Duration;

/** gRPC service by which running jobs start and follow runs. */
public final class JobRunGrpcService extends JobRunServiceGrpc.JobRunServiceImplBase {
    static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private static final int KEY_CHARS_MAX = 200;
    private static final int REASON_CHARS_MAX = 1_000;

    private final JobRuns runs;
    private final Submissions submissions;
    private final Waits waits;

    public JobRunGrpcService(
            Database database,
            JobRights rights,
            Submissions submissions,
            Runs runs,
            RunEvents events,
            Operations operations,
            Waits waits,
            RunQuota quota) {
        this.runs = new JobRuns(database, rights, submissions, runs, events, operations, quota);
        this.submissions = submissions;
        this.waits = waits;
    }

    @Override
    public void startRun(StartRunRequest request, StreamObserver<StartRunResponse> observer) {
        requireText("key", request.getKey(), 1, KEY_CHARS_MAX);
        RunId run = runs.start(
                LeaseCredential.parse(request.getJobId(), request.getLeaseToken()),
                request.getKey(),
                (by, workspace) -> submissions.one(by, workspace, "", request.getSpec()));
        Unary.answer(
                observer, StartRunResponse.newBuilder().setRunId(run.toString()).build());
    }

    @Override
    public void awaitRun(AwaitRunRequest request, StreamObserver<AwaitRunResponse> observer) {
        Violations violations = new Violations();
        Duration wait = violations
                .collect("wait", () -> TimeProtos.duration(request.getWait()))
                .orElse(Duration.ZERO);
        violations.require(
                !wait.isNegative() && wait.compareTo(WAIT_MAX) <= 0,
                "wait",
                Durations.text(wait) + " (expected: 0s to " + Durations.text(WAIT_MAX) + ")");
        violations.throwIfAny();
        boolean hasEnded = runs.await(
                LeaseCredential.parse(request.getJobId(), request.getLeaseToken()), request.getRunId(), wait);
        Unary.answer(observer, AwaitRunResponse.newBuilder().setEnded(hasEnded).build());
    }

    @Override
    public void readRun(ReadRunRequest request, StreamObserver<ReadRunResponse> observer) {
        Run run = runs.read(LeaseCredential.parse(request.getJobId(), request.getLeaseToken()), request.getRunId());
        Unary.answer(
                observer,
                ReadRunResponse.newBuilder()
                        .setRun(RunProtos.run(run).toBuilder().clearInput().clearEnv())
                        .build());
    }

    @Override
    public void cancelRun(CancelRunRequest request, StreamObserver<CancelRunResponse> observer) {
        requireText("reason", request.getReason(), 0, REASON_CHARS_MAX);
        runs.cancel(
                LeaseCredential.parse(request.getJobId(), request.getLeaseToken()),
                request.getRunId(),
                request.getReason());
        Unary.answer(observer, CancelRunResponse.getDefaultInstance());
    }

    @Override
    public void signWaitLinks(SignWaitLinksRequest request, StreamObserver<SignWaitLinksResponse> observer) {
        JobRuns.Acting job = runs.acting(LeaseCredential.parse(request.getJobId(), request.getLeaseToken()));
        var links = CreateWaitLinksRequest.newBuilder()
                .setWorkspace(job.run().workspace().name())
                .setRunId(job.run().id().toString())
                .setStep(request.getStep())
                .addAllActors(request.getActorsList());
        if (request.getActorsCount() == 0) {
            links.addActors(job.access().name());
        }
        if (request.hasValidFor()) {
            links.setValidFor(request.getValidFor());
        }
        Unary.answer(
                observer,
                SignWaitLinksResponse.newBuilder()
                        .addAllWaitLinks(WaitLinkProtos.signed(waits, links.build(), job.access()))
                        .build());
    }

    private static void requireText(String field, String text, int charsMin, int charsMax) {
        if (text.length() < charsMin || text.length() > charsMax || text.indexOf('\0') >= 0) {
            throw MillraceException.invalid(
                    field,
                    text.length() + " characters (expected: " + charsMin + " to " + charsMax + ", none of them NUL)");
        }
    }
}
