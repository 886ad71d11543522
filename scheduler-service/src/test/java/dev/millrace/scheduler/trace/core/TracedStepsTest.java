package dev.millrace.scheduler.trace.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracedStepsTest {
    @ParameterizedTest
    @CsvSource({
        "split, true",
        "count[0].tokenize, true",
        "count[31], true",
        "count[32], false",
        "count[99999999999].a, false",
        "a[1].b[40].c, false",
        "a[40].b[1].c, false",
        "fork[left].x, true",
        "'', true",
        "broken[, true"
    })
    void firstIterationsAreTraced(String key, boolean isDetailed) {
        assertThat(TracedSteps.isDetailed(key)).isEqualTo(isDetailed);
    }

    @ParameterizedTest
    @CsvSource({
        "split, ''",
        "count[3], count",
        "count[3].tokenize, count",
        "a[1].b[2], a[1].b",
        "a[1].b[2].c, a[1].b",
        "a[1].b, a",
        "route.left, route",
        "fork[le.ft].x, fork",
        "'', ''"
    })
    void stepsStandInTheContainerAroundThem(String key, String container) {
        assertThat(TracedSteps.containerOf(key)).isEqualTo(container);
    }

    @ParameterizedTest
    @CsvSource({"split, split", "count[3].tokenize, count.tokenize", "a[1].b[2], a.b", "fork[left].x, fork.x"})
    void namesLeaveIterationsOut(String key, String name) {
        assertThat(TracedSteps.nameOf(key)).isEqualTo(name);
    }
}
