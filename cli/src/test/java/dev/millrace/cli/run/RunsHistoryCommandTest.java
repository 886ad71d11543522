package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import org.junit.jupiter.api.Test;

class RunsHistoryCommandTest {
    private static final String RUN = "01234567-89ab-7def-8123-456789abcdef";

    @Test
    void listsAnswersAndRepeatedAttempts() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /runs/" + RUN + "/history", 200, """
                    {"items":[
                      {"kind":"answer","time":"2026-01-31T08:00:00Z","step":"ask","what":"approve","who":"ann","details":{"payload":null}},
                      {"kind":"attempt","time":"2026-01-31T08:01:00Z","step":"ship","what":"WorkerLost","who":"w1","why":"It is gone.",
                       "details":{"attempt":2}}],
                     "next_page_token":""}""");

            CliRunner.Outcome outcome = CliRunner.run("runs", "history", RUN, "--server", gateway.url());

            assertThat(outcome.output())
                    .containsPattern("approve +ask +ann")
                    .containsPattern("attempt 2: WorkerLost +ship +w1 +It is gone\\.");
        }
    }
}
