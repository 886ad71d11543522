package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WorkersListTest {
    private static final String ADDRESS = "GET /workers";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void listsProcesses() {
        gateway.on(
                ADDRESS,
                200,
                "{\"items\":[{\"name\":\"w1\",\"processes_left_off\":3,\"processes\":[{\"workspace\":\"default\","
                        + "\"script\":\"a/b.py\",\"version\":\"0123456789abcdef\",\"language\":\"python\",\"state\":\"busy\","
                        + "\"pid\":42,\"start_time\":\"2020-01-01T00:00:00Z\",\"jobs_ended\":7,\"memory_bytes\":1048577}]},"
                        + "{\"name\":\"w2\",\"processes\":[]}]}");

        CliRunner.Outcome outcome = run("--processes");

        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.output())
                .containsPattern("w1 +a/b\\.py +busy +42 .* 7 +2 MiB")
                .contains("and 3 more, which the workers do not report one by one")
                .doesNotContain("w2");
        assertThat(gateway.requests().getFirst().path()).contains("processes=true");
    }

    @Test
    void saysThatThereIsNone() {
        gateway.on(ADDRESS, 200, "{\"items\":[{\"name\":\"w1\",\"processes\":[]}]}");

        assertThat(run("--processes").output()).startsWith("No worker has a process for a script.");
    }

    private CliRunner.Outcome run(String option) {
        return CliRunner.run("workers", "list", option, "--server=" + gateway.url());
    }
}
