package dev.millrace.scheduler.queue.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "default",
                "a",
                "7",
                "team-a_2",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void hasAName(String name) {
        assertThat(Workspace.of(name)).isEqualTo(new Workspace(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "_a",
                "A",
                "a b",
                "a/b",
                "ä",
                "a\u0000",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void refusesAnyOtherName(String name) {
        assertThatThrownBy(() -> Workspace.of(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: 1 to 64 characters");
    }

    @Test
    void tellsRunsOfTheSameIdApart() {
        RunId id = RunId.parse("01890a5d-ac96-774b-bcce-b302099a8057");

        assertThat(new RunRef(Workspace.DEFAULT, id)).isNotEqualTo(new RunRef(Workspace.of("other"), id));
    }
}
