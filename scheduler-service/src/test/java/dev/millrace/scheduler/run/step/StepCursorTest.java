package dev.millrace.scheduler.run.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.queue.core.JobId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepCursorTest {
    private static final UUID ID = UUID.fromString("01980000-0000-7000-8000-000000000001");

    @Test
    void readsWhatItWrites() {
        StepCursor finished =
                new StepCursor.Finished(new HistoryPosition(Instant.parse("2026-01-02T03:04:05.123456Z"), ID));
        StepCursor container = new StepCursor.Container("count[3].route#open");
        StepCursor live = new StepCursor.Live(Optional.of(new JobId(ID)));

        assertThat(StepCursor.parse(finished.text())).isEqualTo(finished);
        assertThat(StepCursor.parse(container.text())).isEqualTo(container);
        assertThat(StepCursor.parse(live.text())).isEqualTo(live);
        assertThat(StepCursor.parse("")).isEqualTo(StepCursor.BEGINNING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "f", "f1", "fone:two", "f99999999999999999999:x", "lnot-an-id"})
    void refusesForeignTokens(String text) {
        assertThatThrownBy(() -> StepCursor.parse(text)).hasMessageContaining("page_token");
    }
}
