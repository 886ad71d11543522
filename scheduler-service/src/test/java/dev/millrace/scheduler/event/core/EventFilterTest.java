package dev.millrace.scheduler.event.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests filters and positions. */
class EventFilterTest {
    private static final RunId RUN = new RunId(new UUID(7, 7));

    @ParameterizedTest
    @CsvSource({
        "run.failed, true",
        "run.*, true",
        "step.*, false",
        "run.succeeded, false",
        "run.fail, false",
    })
    void comparesTypes(String wanted, boolean matches) {
        assertThat(filter(List.of(wanted), Optional.empty(), Optional.empty()).matches(event("run.failed", "shop/pay")))
                .isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "run.*, RUNS",
        "run.failed;approval.requested, RUNS",
        "run.*;step.failed, STEPS",
        "step.*, STEPS",
        "'', STEPS"
    })
    void needsStepsOnlyForTheirTypes(String types, Scope scope) {
        List<String> wanted = types.isEmpty() ? List.of() : List.of(types.split(";"));

        assertThat(filter(wanted, Optional.empty(), Optional.empty()).scope()).isEqualTo(scope);
    }

    @Test
    void showsOnlyVisibleFoldersAndAllWorkers() {
        EventFilter filter = filter(List.of(), Optional.empty(), Optional.of(Set.of("shop")));

        assertThat(filter.matches(event("run.failed", "shop/pay"))).isTrue();
        assertThat(filter.matches(event("run.failed", "other/pay"))).isFalse();
        assertThat(filter.matches(event("run.failed", "pay"))).isFalse();
        assertThat(filter.matches(event("worker.lost", "other/1"))).isTrue();
    }

    @Test
    void comparesPathsAndRuns() {
        EventFilter path = filter(List.of(), Optional.of("shop/pay"), Optional.empty());
        EventFilter other = new EventFilter(
                List.of(),
                Optional.of("shop"),
                Optional.empty(),
                Optional.of(new RunId(new UUID(1, 1))),
                Optional.empty());

        assertThat(path.matches(event("run.failed", "shop/pay"))).isTrue();
        assertThat(path.matches(event("run.failed", "shop/pay2"))).isFalse();
        assertThat(path.matches(event("worker.lost", "shop/pay"))).isFalse();
        assertThat(other.matches(event("run.failed", "shop/pay"))).isFalse();
    }

    @Test
    void readsThePositionsThatItWrites() {
        Position position = new Position(2, 123_456_789_012L, 17, 1_800_000_000_000L);

        assertThat(Position.parse(position.text())).contains(position);
        assertThat(Position.parse("1-2-3")).isEmpty();
        assertThat(Position.parse("1-2-3-99999999999999999999")).isEmpty();
    }

    private static EventFilter filter(List<String> types, Optional<String> path, Optional<Set<String>> folders) {
        return new EventFilter(types, Optional.empty(), path, Optional.empty(), folders);
    }

    private static StoredEvent event(String type, String name) {
        return new StoredEvent(new UUID(1, 2), 1, 1, type, Optional.of(RUN), name, "", "{}", Instant.EPOCH);
    }
}
