package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import org.junit.jupiter.api.Test;

class RunsPinTest {
    private static final String FIRST = "019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a41";
    private static final String SECOND = "019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a42";

    @Test
    void pinsEachOfTheRunsAndSaysWhy() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/" + FIRST + ":pin", 200, "{}").on("POST /runs/" + SECOND + ":pin", 200, "{}");

            CliRunner.Outcome outcome = CliRunner.run(
                    "runs", "pin", FIRST, SECOND, "--reason", "evidence", "--actor", "ada", "--server", gateway.url());

            assertThat(outcome.output()).isEqualTo("""
                    Run %s stays until you unpin it.
                    Run %s stays until you unpin it.
                    """.formatted(FIRST, SECOND));
            assertThat(gateway.requests()).hasSize(2).allSatisfy(request -> {
                assertThat(request.body().path("reason").asText()).isEqualTo("evidence");
                assertThat(request.body().path("actor").asText()).isEqualTo("ada");
            });
        }
    }

    @Test
    void unpins() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/" + FIRST + ":unpin", 200, "{\"id\":\"" + FIRST + "\"}");

            assertThat(CliRunner.run("runs", "unpin", FIRST, "--server", gateway.url())
                            .output())
                    .isEqualTo("Run " + FIRST + " goes when its time has come.\n");
        }
    }

    @Test
    void listsWhatIsPinned() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on(
                    "GET /pinned-runs",
                    200,
                    "{\"items\":[{\"run_id\":\"r1\",\"actor\":\"ada\",\"reason\":\"evidence\"}],\"next_page_token\":\"\"}");

            assertThat(CliRunner.run("runs", "pinned", "--server", gateway.url())
                            .output())
                    .isEqualTo("""
                            ID  PINNED  WHO  WHY
                            r1          ada  evidence
                            """);
        }
    }
}
