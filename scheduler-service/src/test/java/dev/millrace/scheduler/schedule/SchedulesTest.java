package dev.millrace.scheduler.schedule;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.schedule.v1.BackfillScheduleRequest;
import dev.millrace.proto.schedule.v1.DeleteScheduleRequest;
import dev.millrace.proto.schedule.v1.GetScheduleRequest;
import dev.millrace.proto.schedule.v1.ListBackfillsRequest;
import dev.millrace.proto.schedule.v1.ListScheduleHistoryRequest;
import dev.millrace.proto.schedule.v1.ListScheduleTimesRequest;
import dev.millrace.proto.schedule.v1.ListScheduleVersionsRequest;
import dev.millrace.proto.schedule.v1.OverlapPolicy;
import dev.millrace.proto.schedule.v1.PauseScheduleRequest;
import dev.millrace.proto.schedule.v1.PutScheduleRequest;
import dev.millrace.proto.schedule.v1.ResumeScheduleRequest;
import dev.millrace.proto.schedule.v1.Schedule;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import dev.millrace.proto.schedule.v1.ScheduleSettings;
import dev.millrace.proto.schedule.v1.ScheduleStart;
import dev.millrace.proto.schedule.v1.ScheduleStart.State;
import dev.millrace.proto.schedule.v1.Timing;
import dev.millrace.proto.schedule.v1.TriggerScheduleRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests over gRPC, with two schedulers on a real Postgres. */
class SchedulesTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);

    static {
        SCHEDULER.another();
    }

    private final ScheduleServiceGrpc.ScheduleServiceBlockingStub schedules =
            ScheduleServiceGrpc.newBlockingStub(SCHEDULER.channel());

    /** Hundreds of schedules are read at once when their ticks are due. */
    @Test
    void aScheduleHasNoInputThatFillsTheMemoryTogetherWithOthers() {
        PutScheduleRequest request = PutScheduleRequest.newBuilder()
                .setPath("large")
                .setRun(RunSpec.newBuilder()
                        .setTarget(RunTarget.newBuilder().setHandler("large"))
                        .setInput(ByteString.copyFromUtf8("{\"x\":\"" + "y".repeat(65_536) + "\"}")))
                .setSettings(settings("* * * * *", OverlapPolicy.OVERLAP_POLICY_ALLOW))
                .build();

        StatusRuntimeException refused =
                catchThrowableOfType(StatusRuntimeException.class, () -> schedules.putSchedule(request));

        assertThat(violatedFields(refused)).containsExactly("run.input");
        assertThat(refused).hasMessageContaining("(expected: at most 65536)");
    }

    @Test
    void ticksThatWereNotFiredAreCaughtUpOnceEach() {
        put(
                "allow",
                "allow",
                settings("* * * * *", OverlapPolicy.OVERLAP_POLICY_ALLOW).setTimeInput("at"));

        backdate("allow", "5 minutes");

        List<ScheduleStart> history = history("allow", found -> found.size() >= 5 && ended(found));
        assertThat(history).extracting(ScheduleStart::getState).containsOnly(State.STATE_STARTED);
        assertThat(history).extracting(ScheduleStart::getOccurrence).doesNotHaveDuplicates();
        for (ScheduleStart start : history) {
            Run run = run(start.getRunId());
            Instant tick = Instant.ofEpochSecond(start.getOccurTime().getSeconds());
            assertThat(run.getInput().toStringUtf8()).isEqualTo("{\"x\":1,\"at\":\"" + tick + "\"}");
            assertThat(run.getName()).isEqualTo("allow");
        }
    }

    @Test
    void ticksBeyondTheCatchUpTimeAreNotedAsMissed() {
        put(
                "missed",
                "missed",
                settings("* * * * *", OverlapPolicy.OVERLAP_POLICY_ALLOW)
                        .setCatchUp(com.google.protobuf.Duration.newBuilder().setSeconds(90)));

        backdate("missed", "10 minutes");

        List<ScheduleStart> history = history("missed", found -> found.size() >= 2 && ended(found));
        assertThat(history)
                .filteredOn(start -> start.getState() == State.STATE_MISSED)
                .singleElement()
                .satisfies(start -> assertThat(start.getReason()).contains("ticks from"));
        assertThat(history)
                .filteredOn(start -> start.getState() == State.STATE_STARTED)
                .hasSizeBetween(1, 3);
    }

    @Test
    void aTickWaitsForTheRunOfAnEarlierOne() throws InterruptedException {
        HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:buffer");
        put("buffer", "buffer", settings(lastMinutes() + " * * * *", OverlapPolicy.OVERLAP_POLICY_BUFFER_ONE));

        backdate("buffer", "3 minutes");

        Lease first = worker.take();
        // The worker may have the run before its start is noted.
        List<ScheduleStart> history = history(
                "buffer",
                found -> found.size() >= 3
                        && found.stream().noneMatch(start -> start.getState() == State.STATE_CLAIMED));
        assertThat(history)
                .extracting(ScheduleStart::getState)
                .contains(State.STATE_STARTED, State.STATE_WAITING, State.STATE_SKIPPED);
        assertThat(get("buffer").getWaiting()).isEqualTo(1);

        worker.succeed(first, "1");

        Lease second = worker.take();
        assertThat(second.getRunId()).isNotEqualTo(first.getRunId());
        List<ScheduleStart> later = history(
                "buffer",
                found -> found.stream()
                                .filter(start -> start.getState() == State.STATE_STARTED)
                                .count()
                        == 2);
        assertThat(later).extracting(ScheduleStart::getState).doesNotContain(State.STATE_WAITING);
        worker.close();
    }

    /** The minute of the clock and those before, so that no further tick comes while a test looks at these. */
    private static String lastMinutes() {
        int minute = Instant.now().atZone(ZoneOffset.UTC).getMinute();
        return IntStream.rangeClosed(minute - 3, minute)
                .mapToObj(each -> String.valueOf(Math.floorMod(each, 60)))
                .collect(Collectors.joining(","));
    }

    @Test
    void theRunInProgressIsCanceled() throws InterruptedException {
        HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:cancel");
        put("cancel", "cancel", settings("* * * * * *", OverlapPolicy.OVERLAP_POLICY_CANCEL_RUNNING));

        Lease first = worker.take();
        Lease second = worker.take();

        assertThat(second.getRunId()).isNotEqualTo(first.getRunId());
        assertThat(eventually(() -> run(first.getRunId()), run -> run.getState() == Run.State.STATE_CANCELED)
                        .getError()
                        .getMessage())
                .contains("starts the next run");
        var _ = schedules.pauseSchedule(
                PauseScheduleRequest.newBuilder().setPath("cancel").build());
        worker.close();
    }

    @Test
    void aRangeIsFilledWithALimitOnParallelRuns() throws InterruptedException {
        HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:backfill");
        put(
                "backfill",
                "backfill",
                settings("0 0 * * *", OverlapPolicy.OVERLAP_POLICY_SKIP).setTimeInput("at"));

        var accepted = schedules
                .backfillSchedule(BackfillScheduleRequest.newBuilder()
                        .setPath("backfill")
                        .setFromTime(time("2026-02-28T00:00:00Z"))
                        .setToTime(time("2026-03-04T12:00:00Z"))
                        .setParallelMax(2)
                        .build())
                .getBackfill();

        assertThat(accepted.getTotal()).isEqualTo(4);
        for (int pair = 0; pair < 2; pair++) {
            Lease one = worker.take();
            Lease other = worker.take();
            assertThat(backfill().getStarted()).isEqualTo(2 * (pair + 1));
            worker.succeed(one, "1");
            worker.succeed(other, "1");
        }
        assertThat(eventually(this::backfill, found -> found.hasEndTime()).getStarted())
                .isEqualTo(4);
        worker.close();
    }

    @Test
    void saysWhichTimesOfARangeToCorrect() {
        put("range", "range", settings("0 0 1 1 *", OverlapPolicy.OVERLAP_POLICY_SKIP));

        assertThat(refusedRange("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z"))
                .isEqualTo("The request is invalid: to_time: 2026-03-01T00:00:00Z is before the begin of the range,"
                        + " 2026-03-02T00:00:00Z: exchange the two times, or correct one");
        assertThat(refusedRange("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"))
                .isEqualTo(
                        "The request is invalid: from_time: 2026-03-01T00:00:00Z begins a range without a time of the"
                                + " schedule, which ends at 2026-03-02T00:00:00Z: ask for another range");
    }

    private String refusedRange(String from, String to) {
        var request = BackfillScheduleRequest.newBuilder()
                .setPath("range")
                .setFromTime(time(from))
                .setToTime(time(to))
                .build();
        return String.valueOf(
                catchThrowableOfType(StatusRuntimeException.class, () -> schedules.backfillSchedule(request))
                        .getStatus()
                        .getDescription());
    }

    @Test
    void namesFieldsOfTheRunAsTheRequestDoes() {
        var wrong = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> put("wrong", "a b", settings("@daily", OverlapPolicy.OVERLAP_POLICY_SKIP)));

        assertThat(violatedFields(wrong)).containsExactly("run.target.handler");
    }

    @Test
    void passesTheTimeOnlyToAParameterThatTheFlowHas() {
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("takes.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: takes/day
                                inputs: {day: {type: string}, x: {type: integer, default: 0}}
                                steps:
                                  - {id: a, value: 1}
                                """))
                        .build());

        var wrong = catchThrowableOfType(StatusRuntimeException.class, () -> putTaking("date"));

        assertThat(violatedFields(wrong)).contains("settings.time_input");
        assertThat(wrong)
                .hasMessageContaining(
                        "settings.time_input: The flow takes no input \"date\". Remove it, or use one of: day, x.");
        // The flow requires this input, and only the schedule gives it.
        putTaking("day");
        var _ = schedules.resumeSchedule(
                ResumeScheduleRequest.newBuilder().setPath("takes/time").build());
    }

    private void putTaking(String parameter) {
        var _ = schedules.putSchedule(PutScheduleRequest.newBuilder()
                .setPath("takes/time")
                .setRun(RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setFlowPath("takes/day")))
                .setSettings(
                        settings("@yearly", OverlapPolicy.OVERLAP_POLICY_SKIP).setTimeInput(parameter))
                .build());
    }

    @Test
    void isStartedByHandOnceForARequest() {
        put("manual", "manual", settings("@yearly", OverlapPolicy.OVERLAP_POLICY_SKIP));

        ScheduleStart start = trigger("manual", "a");

        assertThat(start.getState()).isEqualTo(State.STATE_STARTED);
        assertThat(trigger("manual", "a").getRunId()).isEqualTo(start.getRunId());
        assertThat(trigger("manual", "").getRunId()).isNotEqualTo(start.getRunId());
    }

    @Test
    void startsNothingWhileItIsPausedAndKeepsItsVersions() {
        put("paused", "paused", settings("* * * * *", OverlapPolicy.OVERLAP_POLICY_ALLOW));

        Schedule paused = schedules
                .pauseSchedule(
                        PauseScheduleRequest.newBuilder().setPath("paused").build())
                .getSchedule();

        assertThat(paused.hasPauseTime()).isTrue();
        assertThat(paused.hasNextTime()).isFalse();
        Schedule resumed = schedules
                .resumeSchedule(
                        ResumeScheduleRequest.newBuilder().setPath("paused").build())
                .getSchedule();
        assertThat(resumed.getNextTime().getSeconds())
                .isGreaterThan(paused.getPauseTime().getSeconds());
        assertThat(schedules
                        .listScheduleVersions(ListScheduleVersionsRequest.newBuilder()
                                .setPath("paused")
                                .build())
                        .getVersionsList())
                .extracting(version -> version.getVersion() + " " + version.getChange())
                .containsExactly("3 resume", "2 pause", "1 create");
        var _ = schedules.deleteSchedule(
                DeleteScheduleRequest.newBuilder().setPath("paused").build());
        assertThat(reason(catchThrowableOfType(StatusRuntimeException.class, () -> get("paused"))))
                .isEqualTo("TRIGGER_NOT_FOUND");
    }

    @Test
    void showsEarlierVersions() {
        put("changed", "changed", settings("30 2 * * *", OverlapPolicy.OVERLAP_POLICY_SKIP));
        put("changed", "changed", settings("45 3 * * *", OverlapPolicy.OVERLAP_POLICY_SKIP));

        Schedule first = version("changed", 1);

        assertThat(first.getSettings().getTiming().getCronList()).containsExactly("30 2 * * *");
        assertThat(first.getVersion()).isEqualTo(1);
        assertThat(first.hasNextTime()).isFalse();
        assertThat(version("changed", 0).getSettings().getTiming().getCronList())
                .containsExactly("45 3 * * *");
        assertThat(reason(catchThrowableOfType(StatusRuntimeException.class, () -> version("changed", 7))))
                .isEqualTo("TRIGGER_NOT_FOUND");
    }

    private Schedule version(String path, long version) {
        return schedules
                .getSchedule(GetScheduleRequest.newBuilder()
                        .setPath(path)
                        .setVersion(version)
                        .build())
                .getSchedule();
    }

    @Test
    void theServerComputesTheNextTimes() {
        put("times", "times", settings("30 2 * * *", OverlapPolicy.OVERLAP_POLICY_SKIP));

        assertThat(schedules
                        .listScheduleTimes(ListScheduleTimesRequest.newBuilder()
                                .setPath("times")
                                .setAfterTime(time("2026-03-27T12:00:00Z"))
                                .setCount(3)
                                .build())
                        .getTimesList())
                .extracting(tick -> Instant.ofEpochSecond(tick.getSeconds()).toString())
                .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    }

    @Test
    void refusesWhatCannotTickOrRun() {
        var wrong = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> put("a/", "h", settings("61 * * * *", OverlapPolicy.OVERLAP_POLICY_SKIP)));
        var nothing = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> schedules.putSchedule(PutScheduleRequest.newBuilder()
                        .setPath("a")
                        .setRun(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath("no/flow")))
                        .setSettings(settings("@daily", OverlapPolicy.OVERLAP_POLICY_SKIP))
                        .build()));

        assertThat(violatedFields(wrong)).containsExactlyInAnyOrder("path", "settings.timing.cron[0]");
        assertThat(reason(nothing)).isEqualTo("FLOW_NOT_FOUND");
    }

    private static ScheduleSettings.Builder settings(String cron, OverlapPolicy overlap) {
        return ScheduleSettings.newBuilder()
                .setTiming(Timing.newBuilder().addCron(cron).setZone("Europe/Berlin"))
                .setOverlap(overlap);
    }

    private void put(String path, String handler, ScheduleSettings.Builder settings) {
        var _ = schedules.putSchedule(PutScheduleRequest.newBuilder()
                .setPath(path)
                .setRun(RunSpec.newBuilder()
                        .setTarget(RunTarget.newBuilder().setHandler(handler))
                        .setInput(ByteString.copyFromUtf8("{\"x\":1}")))
                .setSettings(settings)
                .build());
    }

    /** Lets the schedule believe that it has not been looked at for so long, and wakes the schedulers. */
    private void backdate(String path, String age) {
        SCHEDULER.open().run(dsl -> dsl.execute("""
                update schedule set next_tick = date_trunc('minute', now()) - ?::interval, wake_at = now()
                where trigger_id = (select id from trigger where path = ? and workspace = 'default')
                """, age, path));
        put(
                "wake",
                "wake",
                settings("@yearly", OverlapPolicy.OVERLAP_POLICY_SKIP).setTimeInput("t" + System.nanoTime()));
    }

    private static boolean ended(List<ScheduleStart> starts) {
        return starts.stream().noneMatch(start -> start.getState() == State.STATE_CLAIMED);
    }

    private List<ScheduleStart> history(String path, Predicate<List<ScheduleStart>> isEnough) {
        return eventually(
                () -> schedules
                        .listScheduleHistory(ListScheduleHistoryRequest.newBuilder()
                                .setPath(path)
                                .build())
                        .getStartsList(),
                isEnough);
    }

    private dev.millrace.proto.schedule.v1.Backfill backfill() {
        return schedules
                .listBackfills(
                        ListBackfillsRequest.newBuilder().setPath("backfill").build())
                .getBackfills(0);
    }

    private ScheduleStart trigger(String path, String request) {
        return schedules
                .triggerSchedule(TriggerScheduleRequest.newBuilder()
                        .setPath(path)
                        .setRequestId(request)
                        .build())
                .getStart();
    }

    private Schedule get(String path) {
        return schedules
                .getSchedule(GetScheduleRequest.newBuilder().setPath(path).build())
                .getSchedule();
    }

    private static Run run(String id) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(id).build())
                .getRun();
    }

    private static Timestamp time(String text) {
        return Timestamp.newBuilder()
                .setSeconds(Instant.parse(text).getEpochSecond())
                .build();
    }

    private static <T> T eventually(Supplier<T> read, Predicate<T> isDone) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        T found = read.get();
        while (!isDone.test(found) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE.toMillis()));
            found = read.get();
        }
        assertThat(isDone.test(found)).as("after %s: %s", PATIENCE, found).isTrue();
        return found;
    }
}
