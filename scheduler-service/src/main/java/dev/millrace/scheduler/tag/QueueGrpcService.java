package dev.millrace.scheduler.tag;

import dev.millrace.proto.queue.v1.GetActivityRequest;
import dev.millrace.proto.queue.v1.GetActivityResponse;
import dev.millrace.proto.queue.v1.ListLimitsRequest;
import dev.millrace.proto.queue.v1.ListLimitsResponse;
import dev.millrace.proto.queue.v1.ListQueuesRequest;
import dev.millrace.proto.queue.v1.ListQueuesResponse;
import dev.millrace.proto.queue.v1.PauseQueueRequest;
import dev.millrace.proto.queue.v1.PauseQueueResponse;
import dev.millrace.proto.queue.v1.QueueServiceGrpc;
import dev.millrace.proto.queue.v1.ResumeQueueRequest;
import dev.millrace.proto.queue.v1.ResumeQueueResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.activity.Activities;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.tag.core.TagPause;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import dev.millrace.text.Durations;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;

/** gRPC service for the queues of tags and the lines of limits. */
public final class QueueGrpcService extends QueueServiceGrpc.QueueServiceImplBase {
    private static final int MINUTES_DEFAULT = 60;

    private final Queues queues;
    private final LimitLines limits;
    private final PausedTags pauses;
    private final Activities activities;

    public QueueGrpcService(
            Database database,
            PausedTags pauses,
            TagRates rates,
            Activities activities,
            WorkspaceDirectory workspaces) {
        this.queues = new Queues(database, pauses, rates, workspaces);
        this.limits = new LimitLines(database);
        this.pauses = pauses;
        this.activities = activities;
    }

    @Override
    public void listQueues(ListQueuesRequest request, StreamObserver<ListQueuesResponse> observer) {
        Queues.Found found = queues.list(Access.current());
        Unary.answer(
                observer,
                ListQueuesResponse.newBuilder()
                        .addAllQueues(
                                found.queues().stream().map(QueueProtos::queue).toList())
                        .setHasMore(!found.isComplete())
                        .build());
    }

    @Override
    public void pauseQueue(PauseQueueRequest request, StreamObserver<PauseQueueResponse> observer) {
        Violations violations = new Violations();
        checkTag(request.getTag(), violations);
        String reason = request.getReason();
        violations.require(
                reason.length() <= TagPause.REASON_LENGTH_MAX,
                "reason",
                reason.length() + " characters (expected: at most " + TagPause.REASON_LENGTH_MAX + ")");
        violations.require(reason.indexOf('\0') < 0, "reason", "contains a NUL character: remove it");
        Optional<Duration> length = request.hasLength()
                ? violations.collect("length", () -> TimeProtos.duration(request.getLength()))
                : Optional.empty();
        length.ifPresent(given -> violations.require(
                given.toMillis() > 0 && given.compareTo(PausedTags.LENGTH_MAX) <= 0,
                "length",
                Durations.text(given) + " (expected: more than 0s, at most " + Durations.text(PausedTags.LENGTH_MAX)
                        + ")"));
        violations.throwIfAny();
        TagPause pause = pauses.pause(request.getTag(), Access.current().name(), reason, length);
        Unary.answer(
                observer,
                PauseQueueResponse.newBuilder()
                        .setTag(pause.tag())
                        .setPause(QueueProtos.pause(pause))
                        .build());
    }

    @Override
    public void resumeQueue(ResumeQueueRequest request, StreamObserver<ResumeQueueResponse> observer) {
        Violations violations = new Violations();
        checkTag(request.getTag(), violations);
        violations.throwIfAny();
        ResumeQueueResponse.Builder response = ResumeQueueResponse.newBuilder().setTag(request.getTag());
        pauses.resume(request.getTag()).map(QueueProtos::pause).ifPresent(response::setPause);
        Unary.answer(observer, response.build());
    }

    @Override
    public void listLimits(ListLimitsRequest request, StreamObserver<ListLimitsResponse> observer) {
        PageRequest.Page<LimitLine> page = limits.list(
                RequestFields.workspace(request.getWorkspace()),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListLimitsResponse.newBuilder()
                        .addAllLimits(
                                page.items().stream().map(QueueProtos::line).toList())
                        .setNextPageToken(page.nextToken())
                        .build());
    }

    @Override
    public void getActivity(GetActivityRequest request, StreamObserver<GetActivityResponse> observer) {
        int minutes = request.getMinutes();
        Violations violations = new Violations();
        violations.require(
                minutes >= 0 && minutes <= Activities.MINUTES_MAX,
                "minutes",
                minutes + " (expected: 1 to " + Activities.MINUTES_MAX + ")");
        violations.throwIfAny();
        Unary.answer(
                observer,
                ActivityProtos.response(activities.last(
                        RequestFields.workspace(request.getWorkspace()), minutes == 0 ? MINUTES_DEFAULT : minutes)));
    }

    private static void checkTag(String tag, Violations violations) {
        violations.require(
                !tag.isEmpty() && tag.length() <= JobOptions.TAG_LENGTH_MAX,
                "tag",
                tag.length() + " characters (expected: 1 to " + JobOptions.TAG_LENGTH_MAX + ")");
        violations.require(
                JobOptions.isCallers(tag) && tag.indexOf('\0') < 0,
                "tag",
                "begins with '@' or '~', as only tags of the scheduler itself do, or contains a NUL character: give the"
                        + " tag that steps and workers name");
    }
}
