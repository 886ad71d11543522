package dev.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTargetTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:8401",
                "localhost",
                "127.0.0.1:8401",
                "127.1.2.3",
                "[::1]:8401",
                "::1",
                "dns:///localhost:8401",
                "dns:localhost:8401",
                "unix:/run/millrace.sock"
            })
    void staysOnTheMachine(String target) {
        assertThat(LoopbackTarget.is(target)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scheduler.example:8401",
                "localhost.example:8401",
                "127.0.0.1.example:8401",
                "10.0.0.5:8401",
                "[::2]:8401",
                "dns://8.8.8.8/scheduler:8401",
                "xds:///localhost:8401",
                ""
            })
    void leavesTheMachine(String target) {
        assertThat(LoopbackTarget.is(target)).isFalse();
    }
}
