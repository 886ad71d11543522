package dev.millrace.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.Step;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LiveTreeTest {
    private static final int ROWS = 5;
    private static final String UP = "\u001b[1F\u001b[2K";

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

    @Test
    @Timeout(10)
    void drawsNoMoreThanTheScreenHoldsUntilTheEnd() {
        try (RunView view = LiveTree.start(Terminal.over(screen, screen, ROWS, 80, false))) {
            view.run(Run.of(Json.parse("{\"id\":\"r1\",\"name\":\"wide\",\"state\":\"running\"}")
                    .orElseThrow()));
            for (int i = 0; i < 8; i++) {
                view.step(step("s" + i, i == 6 ? "running" : "succeeded"));
            }
            while (!drawn().contains("s6")) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(lastFrame().lines().count()).isLessThan(ROWS);
        }

        assertThat(lastFrame().lines()).hasSize(9);
        assertThat(drawn()).doesNotContain("\u001b[0J", "\u001b[2J");
    }

    private String drawn() {
        return screen.toString(UTF_8);
    }

    private String lastFrame() {
        return drawn().substring(drawn().lastIndexOf(UP) < 0 ? 0 : drawn().lastIndexOf(UP) + UP.length());
    }

    private static Step step(String key, String state) {
        return Step.of(Json.parse("{\"key\":\"" + key + "\",\"kind\":\"script\",\"state\":\"" + state + "\"}")
                .orElseThrow());
    }
}
