package dev.millrace.scheduler.audit.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DenialWindowTest {
    private final DenialWindow window = new DenialWindow();

    @Test
    void recordsTheFirstCallsOfEachCallerOneByOne() {
        for (int call = 0; call < DenialWindow.EVENTS_PER_CALLER_MAX; call++) {
            assertThat(window.admits(denied("1.1.1.1"))).isTrue();
            assertThat(window.admits(denied("2.2.2.2"))).isTrue();
        }

        assertThat(window.admits(denied("1.1.1.1"))).isFalse();
        assertThat(window.close(UUID::randomUUID))
                .singleElement()
                .satisfies(more -> assertThat(more.calls()).isOne());
    }

    @Test
    void countsWhatItDoesNotRecord() {
        int calls = 1_000;
        for (int call = 0; call < calls; call++) {
            window.admits(denied("1.1.1.1"));
        }

        List<AuditEvent> counted = window.close(UUID::randomUUID);

        assertThat(counted).singleElement().satisfies(event -> {
            assertThat(event.calls()).isEqualTo(calls - DenialWindow.EVENTS_PER_CALLER_MAX);
            assertThat(event.address()).isEqualTo("1.1.1.1");
        });
        assertThat(window.isEmpty()).isTrue();
    }

    @Test
    void tellsOnlySoManyCallersApart() {
        for (int caller = 0; caller < DenialWindow.CALLERS_MAX; caller++) {
            assertThat(window.admits(denied("10.0.0." + caller))).isTrue();
        }

        assertThat(window.admits(denied("11.0.0.1"))).isFalse();
        assertThat(window.admits(denied("11.0.0.2"))).isFalse();

        assertThat(window.close(UUID::randomUUID)).singleElement().satisfies(event -> {
            assertThat(event.calls()).isEqualTo(2);
            assertThat(event.principal()).isEqualTo("many");
        });
    }

    private static AuditEvent denied(String address) {
        return new AuditEvent(
                UUID.randomUUID(),
                Optional.empty(),
                "anonymous",
                Optional.empty(),
                address,
                "GetRun",
                "",
                AuditOutcome.DENIED,
                "{}",
                1);
    }
}
