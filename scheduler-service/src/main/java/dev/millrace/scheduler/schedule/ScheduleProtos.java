package dev.millrace.scheduler.schedule;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.schedule.v1.ScheduleStart;
import dev.millrace.proto.schedule.v1.ScheduleVersion;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.schedule.core.Conduct;
import dev.millrace.scheduler.schedule.core.OverlapPolicy;
import dev.millrace.scheduler.schedule.core.Timetable;
import dev.millrace.scheduler.schedule.core.Timing;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerStart;
import dev.millrace.scheduler.trigger.TriggerVersion;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Schedules as messages, in which their settings are also stored. */
final class ScheduleProtos {
    private static final int PARAMETER_LENGTH_MAX = 100;
    private static final Instant TIME_MIN = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant TIME_MAX = Instant.parse("9900-01-01T00:00:00Z");

    private ScheduleProtos() {}

    /** The settings of a stored schedule. */
    static ScheduleSettings settings(ByteString stored) {
        try {
            return settings(dev.millrace.proto.schedule.v1.ScheduleSettings.parseFrom(stored));
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored settings of a schedule are no ScheduleSettings", damaged);
        }
    }

    /** Fails with {@link IllegalArgumentException} if a time is out of range. */
    private static ScheduleSettings settings(dev.millrace.proto.schedule.v1.ScheduleSettings message) {
        var timing = message.getTiming();
        return new ScheduleSettings(
                new Timing(
                        timing.getCronList(),
                        timing.hasEvery() ? Optional.of(TimeProtos.duration(timing.getEvery())) : Optional.empty(),
                        timing.getZone(),
                        timing.getExcludeList(),
                        timing.hasStartTime()
                                ? Optional.of(inRange(TimeProtos.instant(timing.getStartTime())))
                                : Optional.empty(),
                        timing.hasEndTime()
                                ? Optional.of(inRange(TimeProtos.instant(timing.getEndTime())))
                                : Optional.empty()),
                new Conduct(
                        overlap(message.getOverlap()),
                        message.hasCatchUp() ? TimeProtos.duration(message.getCatchUp()) : Conduct.CATCH_UP_DEFAULT,
                        message.hasJitter() ? TimeProtos.duration(message.getJitter()) : Duration.ZERO),
                message.getTimeInput());
    }

    /** Checks settings, and adds what is wrong with them to the violations. */
    static void check(dev.millrace.proto.schedule.v1.ScheduleSettings message, String field, Violations violations) {
        String place = field + (field.equals("settings") ? ".timing." : ".");
        var timing = message.getTiming();
        boolean isStartInRange = isInRange(timing.hasStartTime(), timing.getStartTime(), place + "start", violations);
        boolean isEndInRange = isInRange(timing.hasEndTime(), timing.getEndTime(), place + "end", violations);
        Optional<ScheduleSettings> read =
                isStartInRange && isEndInRange ? violations.collect(field, () -> settings(message)) : Optional.empty();
        if (read.isEmpty()) {
            return;
        }
        ScheduleSettings settings = read.get();
        List<Timetable.Problem> problems = new ArrayList<>();
        var _ = Timetable.read(settings.timing(), problems);
        problems.forEach(problem -> violations.add(place + problem.field(), problem.message()));
        requireBetween(settings.conduct().catchUp(), Conduct.CATCH_UP_MAX, field + ".catch_up", violations);
        requireBetween(settings.conduct().jitter(), Conduct.JITTER_MAX, field + ".jitter", violations);
        violations.require(
                message.getOverlap() != dev.millrace.proto.schedule.v1.OverlapPolicy.UNRECOGNIZED,
                field + ".overlap",
                "is a policy that this server does not know");
        violations.require(
                settings.timeInput().length() <= PARAMETER_LENGTH_MAX
                        && settings.timeInput().indexOf('\0') < 0,
                field + ".time_input",
                settings.timeInput().length() + " characters (expected: at most " + PARAMETER_LENGTH_MAX
                        + ", none of them NUL)");
    }

    private static void requireBetween(Duration value, Duration max, String field, Violations violations) {
        violations.require(
                !value.isNegative() && value.compareTo(max) <= 0,
                field,
                Durations.text(value) + " (expected: at most " + Durations.text(max) + ")");
    }

    private static OverlapPolicy overlap(dev.millrace.proto.schedule.v1.OverlapPolicy policy) {
        return switch (policy) {
            case OVERLAP_POLICY_UNSPECIFIED, OVERLAP_POLICY_SKIP, UNRECOGNIZED -> OverlapPolicy.SKIP;
            case OVERLAP_POLICY_BUFFER_ONE -> OverlapPolicy.BUFFER_ONE;
            case OVERLAP_POLICY_BUFFER_ALL -> OverlapPolicy.BUFFER_ALL;
            case OVERLAP_POLICY_CANCEL_RUNNING -> OverlapPolicy.CANCEL_RUNNING;
            case OVERLAP_POLICY_ALLOW -> OverlapPolicy.ALLOW;
        };
    }

    static dev.millrace.proto.schedule.v1.Schedule message(Schedule schedule) {
        Trigger trigger = schedule.trigger();
        var message = dev.millrace.proto.schedule.v1.Schedule.newBuilder()
                .setPath(trigger.key().path())
                .setRun(trigger.spec().run().spec())
                .setSettings(stored(trigger.spec().settings()))
                .setDescription(trigger.spec().description())
                .setVersion(trigger.version())
                .setFlowPath(trigger.flow().orElse(""))
                .setActor(trigger.actor())
                .setCreateTime(TimeProtos.timestamp(trigger.createdAt()))
                .setUpdateTime(TimeProtos.timestamp(trigger.changedAt()))
                .setWaiting(schedule.waiting());
        trigger.pausedAt().map(TimeProtos::timestamp).ifPresent(message::setPauseTime);
        schedule.nextTick()
                .filter(_ -> !trigger.isPaused())
                .map(TimeProtos::timestamp)
                .ifPresent(message::setNextTime);
        return message.build();
    }

    private static dev.millrace.proto.schedule.v1.ScheduleSettings stored(ByteString settings) {
        try {
            return dev.millrace.proto.schedule.v1.ScheduleSettings.parseFrom(settings);
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored settings of a schedule are no ScheduleSettings", damaged);
        }
    }

    static ScheduleStart message(TriggerStart start) {
        return ScheduleStart.newBuilder()
                .setOccurrence(start.occurrence())
                .setState(state(start.state()))
                .setRunId(start.run().map(RunId::toString).orElse(""))
                .setReason(start.reason())
                .setOccurTime(TimeProtos.timestamp(start.occurredAt()))
                .setNoteTime(TimeProtos.timestamp(start.notedAt()))
                .build();
    }

    private static ScheduleStart.State state(StartState state) {
        return switch (state) {
            case WAITING -> ScheduleStart.State.STATE_WAITING;
            case CLAIMED -> ScheduleStart.State.STATE_CLAIMED;
            case STARTED -> ScheduleStart.State.STATE_STARTED;
            case REFUSED -> ScheduleStart.State.STATE_REFUSED;
            case SKIPPED -> ScheduleStart.State.STATE_SKIPPED;
            case MISSED -> ScheduleStart.State.STATE_MISSED;
        };
    }

    static ScheduleVersion message(TriggerVersion version) {
        return ScheduleVersion.newBuilder()
                .setVersion(version.version())
                .setChange(version.change())
                .setActor(version.actor())
                .setChangeTime(TimeProtos.timestamp(version.changedAt()))
                .build();
    }

    static dev.millrace.proto.schedule.v1.Backfill message(Backfill backfill) {
        var message = dev.millrace.proto.schedule.v1.Backfill.newBuilder()
                .setId(backfill.id().toString())
                .setFromTime(TimeProtos.timestamp(backfill.from()))
                .setToTime(TimeProtos.timestamp(backfill.to()))
                .setParallelMax(backfill.parallelMax())
                .setTotal(backfill.total())
                .setStarted(backfill.started())
                .setActor(backfill.actor())
                .setCreateTime(TimeProtos.timestamp(backfill.createdAt()));
        backfill.endedAt().map(TimeProtos::timestamp).ifPresent(message::setEndTime);
        return message.build();
    }

    /** Postgres and calendars have limits, which are farther away. */
    private static Instant inRange(Instant time) {
        if (time.isBefore(TIME_MIN) || time.isAfter(TIME_MAX)) {
            throw new IllegalArgumentException(time + " (expected: a time from " + TIME_MIN + " to " + TIME_MAX + ")");
        }
        return time;
    }

    private static boolean isInRange(boolean isGiven, Timestamp time, String field, Violations violations) {
        return !isGiven || time(true, time, field, violations).isPresent();
    }

    /** The time of a request, if it is given. */
    static Optional<Instant> time(boolean isGiven, Timestamp time, String field, Violations violations) {
        return isGiven ? violations.collect(field, () -> inRange(TimeProtos.instant(time))) : Optional.empty();
    }
}
