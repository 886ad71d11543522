package dev.millrace.scheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.schedule.v1.ScheduleSettings;
import dev.millrace.proto.schedule.v1.Timing;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.error.Violations;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people read if a schedule is wrong: fields by their names, and values as people write them. */
class ScheduleProtosTest {
    private static final Timing DAILY = Timing.newBuilder().addCron("@daily").build();

    @Test
    void namesTheExpressionAndTheFieldOfTheClock() {
        assertThat(problems(ScheduleSettings.newBuilder()
                        .setTiming(Timing.newBuilder().addCron("@daily").addCron("61 * * * *"))))
                .containsExactly(new FieldViolation(
                        "settings.timing.cron[1]", "the field minute \"61\" is invalid (expected: 0 to 59)"));
    }

    @Test
    void showsDurationsAsPeopleWriteThem() {
        assertThat(problems(ScheduleSettings.newBuilder()
                        .setTiming(Timing.newBuilder().setEvery(Duration.getDefaultInstance()))
                        .setJitter(days(40))
                        .setCatchUp(days(4_000))))
                .containsExactly(
                        new FieldViolation("settings.timing.every", "0s (expected: 1s to 3660d)"),
                        new FieldViolation("settings.catch_up", "4000d (expected: at most 366d)"),
                        new FieldViolation("settings.jitter", "40d (expected: at most 1d)"));
    }

    @Test
    void namesTheTimeThatIsOutOfRange() {
        assertThat(problems(ScheduleSettings.newBuilder()
                        .setTiming(DAILY.toBuilder()
                                .setStartTime(time("1900-01-01T00:00:00Z"))
                                .setEndTime(time("9999-01-01T00:00:00Z")))))
                .extracting(FieldViolation::field)
                .containsExactly("settings.timing.start", "settings.timing.end");
    }

    @Test
    void namesBothTimesIfTheEndIsNotAfterTheStart() {
        assertThat(problems(ScheduleSettings.newBuilder()
                        .setTiming(DAILY.toBuilder()
                                .setStartTime(time("2027-01-01T00:00:00Z"))
                                .setEndTime(time("2026-01-01T00:00:00Z")))))
                .containsExactly(new FieldViolation(
                        "settings.timing.end",
                        "2026-01-01T00:00:00Z (expected: after the start, 2027-01-01T00:00:00Z)"));
    }

    private static List<FieldViolation> problems(ScheduleSettings.Builder settings) {
        Violations violations = new Violations();
        ScheduleProtos.check(settings.build(), "settings", violations);
        return violations.all();
    }

    private static Duration days(int days) {
        return Duration.newBuilder().setSeconds(86_400L * days).build();
    }

    private static Timestamp time(String text) {
        return Timestamp.newBuilder()
                .setSeconds(Instant.parse(text).getEpochSecond())
                .build();
    }
}
