package dev.millrace.scheduler.schedule;

import dev.millrace.proto.schedule.v1.BackfillScheduleRequest;
import dev.millrace.proto.schedule.v1.BackfillScheduleResponse;
import dev.millrace.proto.schedule.v1.DeleteScheduleRequest;
import dev.millrace.proto.schedule.v1.DeleteScheduleResponse;
import dev.millrace.proto.schedule.v1.GetScheduleRequest;
import dev.millrace.proto.schedule.v1.GetScheduleResponse;
import dev.millrace.proto.schedule.v1.ListBackfillsRequest;
import dev.millrace.proto.schedule.v1.ListBackfillsResponse;
import dev.millrace.proto.schedule.v1.ListScheduleHistoryRequest;
import dev.millrace.proto.schedule.v1.ListScheduleHistoryResponse;
import dev.millrace.proto.schedule.v1.ListScheduleTimesRequest;
import dev.millrace.proto.schedule.v1.ListScheduleTimesResponse;
import dev.millrace.proto.schedule.v1.ListScheduleVersionsRequest;
import dev.millrace.proto.schedule.v1.ListScheduleVersionsResponse;
import dev.millrace.proto.schedule.v1.ListSchedulesRequest;
import dev.millrace.proto.schedule.v1.ListSchedulesResponse;
import dev.millrace.proto.schedule.v1.PauseScheduleRequest;
import dev.millrace.proto.schedule.v1.PauseScheduleResponse;
import dev.millrace.proto.schedule.v1.PutScheduleRequest;
import dev.millrace.proto.schedule.v1.PutScheduleResponse;
import dev.millrace.proto.schedule.v1.ResumeScheduleRequest;
import dev.millrace.proto.schedule.v1.ResumeScheduleResponse;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import dev.millrace.proto.schedule.v1.TriggerScheduleRequest;
import dev.millrace.proto.schedule.v1.TriggerScheduleResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.submission.RunTemplate;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerSpec;
import dev.millrace.scheduler.trigger.Triggers;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.Optional;

/** gRPC service for schedules. */
public final class ScheduleGrpcService extends ScheduleServiceGrpc.ScheduleServiceImplBase {
    private static final int TIMES_MAX = 1_000;
    private static final int TIMES_DEFAULT = 10;
    private static final int PARALLEL_MAX = 100;

    private final Schedules schedules;

    public ScheduleGrpcService(Schedules schedules) {
        this.schedules = schedules;
    }

    @Override
    public void putSchedule(PutScheduleRequest request, StreamObserver<PutScheduleResponse> observer) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        violations.require(
                ReferencePath.isValid(request.getPath()),
                "path",
                "\"" + request.getPath() + "\" (expected: " + ReferencePath.EXPECTED + ")");
        ScheduleProtos.check(request.getSettings(), "settings", violations);
        violations.require(
                request.getDescription().length() <= Triggers.DESCRIPTION_LENGTH_MAX
                        && request.getDescription().indexOf('\0') < 0,
                "description",
                request.getDescription().length() + " characters (expected: at most " + Triggers.DESCRIPTION_LENGTH_MAX
                        + ", none of them NUL)");
        violations.require(
                !request.getRun().hasRunAfter(), "run.run_after", "cannot be given: the schedule says when runs start");
        violations.throwIfAny();
        Schedule put = schedules.put(
                schedules.key(workspace, request.getPath()),
                new TriggerSpec(
                        RunTemplate.of(request.getRun().toBuilder()
                                .clearTraceparent()
                                .clearTracestate()
                                .build()),
                        request.getSettings().toByteString(),
                        request.getDescription()),
                Access.current());
        Unary.answer(
                observer,
                PutScheduleResponse.newBuilder()
                        .setSchedule(ScheduleProtos.message(put))
                        .build());
    }

    @Override
    public void getSchedule(GetScheduleRequest request, StreamObserver<GetScheduleResponse> observer) {
        Schedule found = schedules.get(key(request.getWorkspace(), request.getPath()), request.getVersion());
        Unary.answer(
                observer,
                GetScheduleResponse.newBuilder()
                        .setSchedule(ScheduleProtos.message(found))
                        .build());
    }

    @Override
    public void listSchedules(ListSchedulesRequest request, StreamObserver<ListSchedulesResponse> observer) {
        var found = schedules.list(
                RequestFields.workspace(request.getWorkspace()),
                Access.current(),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListSchedulesResponse.newBuilder()
                        .addAllSchedules(found.map(ScheduleProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void listScheduleTimes(
            ListScheduleTimesRequest request, StreamObserver<ListScheduleTimesResponse> observer) {
        Violations violations = new Violations();
        int count = request.getCount();
        violations.require(count >= 0 && count <= TIMES_MAX, "count", count + " (expected: 1 to " + TIMES_MAX + ")");
        Optional<Instant> after =
                ScheduleProtos.time(request.hasAfterTime(), request.getAfterTime(), "after_time", violations);
        violations.throwIfAny();
        var times = schedules.times(
                key(request.getWorkspace(), request.getPath()), after, count == 0 ? TIMES_DEFAULT : count);
        Unary.answer(
                observer,
                ListScheduleTimesResponse.newBuilder()
                        .addAllTimes(times.stream().map(TimeProtos::timestamp).toList())
                        .build());
    }

    @Override
    public void pauseSchedule(PauseScheduleRequest request, StreamObserver<PauseScheduleResponse> observer) {
        Schedule paused = schedules.pause(key(request.getWorkspace(), request.getPath()), Access.current());
        Unary.answer(
                observer,
                PauseScheduleResponse.newBuilder()
                        .setSchedule(ScheduleProtos.message(paused))
                        .build());
    }

    @Override
    public void resumeSchedule(ResumeScheduleRequest request, StreamObserver<ResumeScheduleResponse> observer) {
        Schedule resumed = schedules.resume(key(request.getWorkspace(), request.getPath()), Access.current());
        Unary.answer(
                observer,
                ResumeScheduleResponse.newBuilder()
                        .setSchedule(ScheduleProtos.message(resumed))
                        .build());
    }

    @Override
    public void triggerSchedule(TriggerScheduleRequest request, StreamObserver<TriggerScheduleResponse> observer) {
        Violations violations = new Violations();
        violations.require(
                request.getRequestId().length() <= RequestId.LENGTH_MAX
                        && request.getRequestId().indexOf('\0') < 0,
                "request_id",
                request.getRequestId().length() + " characters (expected: at most " + RequestId.LENGTH_MAX
                        + ", none of them NUL)");
        violations.throwIfAny();
        var start = schedules.trigger(key(request.getWorkspace(), request.getPath()), request.getRequestId());
        Unary.answer(
                observer,
                TriggerScheduleResponse.newBuilder()
                        .setStart(ScheduleProtos.message(start))
                        .build());
    }

    @Override
    public void backfillSchedule(BackfillScheduleRequest request, StreamObserver<BackfillScheduleResponse> observer) {
        Violations violations = new Violations();
        Optional<Instant> from =
                ScheduleProtos.time(request.hasFromTime(), request.getFromTime(), "from_time", violations);
        Optional<Instant> to = ScheduleProtos.time(request.hasToTime(), request.getToTime(), "to_time", violations);
        violations.require(request.hasFromTime(), "from_time", "is missing (expected: a time)");
        violations.require(request.hasToTime(), "to_time", "is missing (expected: a time)");
        int parallel = request.getParallelMax();
        violations.require(
                parallel >= 0 && parallel <= PARALLEL_MAX,
                "parallel_max",
                parallel + " (expected: 1 to " + PARALLEL_MAX + ")");
        violations.throwIfAny();
        Backfill backfill = schedules.backfill(
                key(request.getWorkspace(), request.getPath()),
                from.orElseThrow(),
                to.orElseThrow(),
                Math.max(1, parallel),
                Access.current());
        Unary.answer(
                observer,
                BackfillScheduleResponse.newBuilder()
                        .setBackfill(ScheduleProtos.message(backfill))
                        .build());
    }

    @Override
    public void listBackfills(ListBackfillsRequest request, StreamObserver<ListBackfillsResponse> observer) {
        var found = schedules.backfills(key(request.getWorkspace(), request.getPath()));
        Unary.answer(
                observer,
                ListBackfillsResponse.newBuilder()
                        .addAllBackfills(
                                found.stream().map(ScheduleProtos::message).toList())
                        .build());
    }

    @Override
    public void listScheduleHistory(
            ListScheduleHistoryRequest request, StreamObserver<ListScheduleHistoryResponse> observer) {
        var found = schedules.history(
                key(request.getWorkspace(), request.getPath()),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListScheduleHistoryResponse.newBuilder()
                        .addAllStarts(found.map(ScheduleProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void listScheduleVersions(
            ListScheduleVersionsRequest request, StreamObserver<ListScheduleVersionsResponse> observer) {
        var found = schedules.versions(key(request.getWorkspace(), request.getPath()));
        Unary.answer(
                observer,
                ListScheduleVersionsResponse.newBuilder()
                        .addAllVersions(
                                found.stream().map(ScheduleProtos::message).toList())
                        .build());
    }

    @Override
    public void deleteSchedule(DeleteScheduleRequest request, StreamObserver<DeleteScheduleResponse> observer) {
        Schedule deleted = schedules.delete(key(request.getWorkspace(), request.getPath()));
        Unary.answer(
                observer,
                DeleteScheduleResponse.newBuilder()
                        .setSchedule(ScheduleProtos.message(deleted))
                        .build());
    }

    private TriggerKey key(String givenWorkspace, String path) {
        return schedules.key(RequestFields.workspace(givenWorkspace), path);
    }
}
