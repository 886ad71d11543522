package dev.millrace.scheduler.flow.core.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitTimesTest {
    @Test
    void readsDurations() {
        assertThat(duration("5")).hasValue(Duration.ofSeconds(5));
        assertThat(duration("0.25")).hasValue(Duration.ofMillis(250));
        assertThat(duration("\"250ms\"")).hasValue(Duration.ofMillis(250));
        assertThat(duration("\"5m\"")).hasValue(Duration.ofMinutes(5));
        assertThat(duration("\"1h 30m\"")).hasValue(Duration.ofMinutes(90));
        assertThat(duration("\"2 days 3 hours\"")).hasValue(Duration.ofHours(51));
    }

    @Test
    void rejectsOtherValuesAsDurations() {
        for (String none :
                new String[] {"-1", "\"5\"", "\"5 fortnights\"", "\"\"", "null", "[5]", "1e300", "5m", "\"99999d\""}) {
            assertThat(duration(none)).as(none).isEmpty();
        }
    }

    @Test
    void readsMoments() {
        Instant moment = Instant.parse("2030-01-31T12:00:00Z");
        assertThat(moment("\"2030-01-31T12:00:00Z\"")).hasValue(moment);
        assertThat(moment("\"2030-01-31T13:00:00+01:00\"")).hasValue(moment);
        assertThat(moment("\"2030-01-31 12:00\"")).hasValue(moment);
        assertThat(moment("\"2030-01-31 13:00 CET\"")).hasValue(moment);
        assertThat(moment("\"2030-01-31\"")).hasValue(Instant.parse("2030-01-31T00:00:00Z"));
        assertThat(moment(Long.toString(moment.toEpochMilli()))).hasValue(moment);
    }

    @Test
    void rejectsOtherValuesAsMoments() {
        for (String none : new String[] {"\"tomorrow\"", "\"\"", "null", "true", "1e300", "\"9999-01-01\""}) {
            assertThat(moment(none)).as(none).isEmpty();
        }
    }

    private static Optional<Duration> duration(String json) {
        return WaitTimes.duration(JsonValue.of(json));
    }

    private static Optional<Instant> moment(String json) {
        return WaitTimes.moment(JsonValue.of(json));
    }
}
