package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WorkersCommandsTest {
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

    @Test
    void listsHowMuchIsUsedAndWhoDrains() {
        gateway.on(
                ADDRESS,
                200,
                "{\"items\":[{\"name\":\"w1\",\"leased_jobs\":2,\"occupancy\":{\"last_15s\":1,\"last_5min\":0.5,"
                        + "\"last_30min\":0.07},\"drain\":{\"actor\":\"ada\",\"reason\":\"new disk\",\"groups\":0}},"
                        + "{\"name\":\"w2\"}]}");

        assertThat(CliRunner.run("workers", "list", "--server=" + gateway.url()).output())
                .containsPattern("w1 +2 +100/50/7 % .*drained by ada: new disk")
                .containsPattern("w2 +0");
    }

    @Test
    void drainsAndWaitsUntilNoJobIsLeft() {
        gateway.on("POST /workers:drain", 200, "{\"session_id\":\"s1\",\"drain\":{\"actor\":\"ada\"}}");
        gateway.on("POST /workers:resume", 200, "{\"session_id\":\"s1\"}");
        gateway.on(ADDRESS, 200, worker(1, 0))
                .on(ADDRESS, 200, worker(1, 0))
                .on(ADDRESS, 200, worker(0, 2))
                .on(ADDRESS, 200, worker(0, 0));

        CliRunner.Outcome drained =
                CliRunner.run("workers", "drain", "w1", "--reason", "new disk", "--wait", "--server=" + gateway.url());

        assertThat(drained.exitCode()).isZero();
        assertThat(drained.errors())
                .containsSubsequence("Waiting for 1 job of the worker w1", "0 jobs and 2 same_worker groups");
        assertThat(drained.output()).startsWith("Drained the worker w1. It has no more jobs.");
        assertThat(gateway.requests().get(1).body().toString())
                .contains("\"session_id\":\"s1\"", "\"reason\":\"new disk\"");
        assertThat(CliRunner.run("workers", "resume", "w1", "--server=" + gateway.url())
                        .output())
                .startsWith("The worker w1 gets jobs.");
    }

    private static String worker(int jobs, int groups) {
        return "{\"items\":[{\"name\":\"w1\",\"session_id\":\"s1\",\"leased_jobs\":" + jobs + ",\"drain\":{\"groups\":"
                + groups + "}}]}";
    }

    private CliRunner.Outcome run(String option) {
        return CliRunner.run("workers", "list", option, "--server=" + gateway.url());
    }
}
