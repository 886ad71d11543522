package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunsBulkTest {
    @Test
    void makesNoOperationOnManyRunsOfOneThatIsDetached() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/r1:restart", 200, "{\"id\":\"r2\",\"state\":\"queued\"}");

            CliRunner.Outcome attached = run(gateway, "restart", "r1");
            CliRunner.Outcome detached = run(gateway, "restart", "r1", "--detach");

            assertThat(attached.output()).isEqualTo("r2\n");
            assertThat(detached).isEqualTo(attached);
        }
    }

    private static final String RUNNING =
            "{\"id\":\"b1\",\"operation\":\"cancel\",\"state\":\"running\",\"total\":3,\"done\":0,\"failed\":0,\"left_out\":0}";
    private static final String ENDED =
            "{\"id\":\"b1\",\"operation\":\"cancel\",\"state\":\"ended\",\"total\":3,\"done\":%d,\"failed\":%d,\"left_out\":0,"
                    + "\"end_time\":\"2026-01-31T08:00:00Z\"}";
    private static final String FAILURES =
            "{\"items\":[{\"run_id\":\"r3\",\"state\":\"failed\",\"error\":{\"code\":\"run_ended\",\"message\":\"It has ended.\"}}],"
                    + "\"next_page_token\":\"\"}";

    @Test
    void doesAnOperationToTheRunsOfAFlowAndTellsHowItWent() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /bulk-operations", 202, RUNNING)
                    .on("GET /bulk-operations/b1", 200, RUNNING)
                    .on("GET /bulk-operations/b1", 200, ENDED.formatted(3, 0));

            CliRunner.Outcome outcome = run(
                    gateway,
                    "cancel",
                    "--flow",
                    "a/b",
                    "--state",
                    "queued,running",
                    "--actor",
                    "ann",
                    "--reason",
                    "why");

            assertThat(outcome.output()).isEqualTo("cancel: 3 of 3 runs done, 0 failed (ended)\n");
            assertThat(outcome.exitCode()).isZero();
            FakeGateway.Request sent = gateway.requests().getFirst();
            assertThat(sent.body())
                    .isEqualTo(Json.parse(
                                    "{\"reason\":\"why\",\"actor\":\"ann\",\"operation\":\"cancel\",\"filter\":{\"flow\":\"a/b\","
                                            + "\"states\":[\"queued\",\"running\"]}}")
                            .orElseThrow());
            assertThat(sent.requestId()).isNotEmpty();
        }
    }

    @Test
    void selectsRunsByWhatListsLookFor() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /bulk-operations", 202, RUNNING);

            run(
                    gateway,
                    "cancel",
                    "--detach",
                    "--name",
                    "a/b",
                    "--with-input",
                    "a=1",
                    "--with-input",
                    "b~c",
                    "--with-output",
                    "d=2",
                    "--tag",
                    "gpu");

            assertThat(gateway.requests().getFirst().body().path("filter"))
                    .isEqualTo(Json.parse(
                                    "{\"name\":\"a/b\",\"input\":[\"a=1\",\"b~c\"],\"output\":[\"d=2\"],\"tag\":\"gpu\"}")
                            .orElseThrow());
        }
    }

    @Test
    void saysWhichRunsRefusedAndEndsAsRefused() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /bulk-operations", 202, ENDED.formatted(2, 1))
                    .on("GET /bulk-operations/b1/runs", 200, FAILURES);

            CliRunner.Outcome text = run(gateway, "cancel", "r1", "r2", "r3");
            CliRunner.Outcome json = run(gateway, "cancel", "r1", "r2", "r3", "--output", "json");

            assertThat(text.exitCode()).isEqualTo(6);
            assertThat(text.output()).contains("2 of 3 runs done, 1 failed").containsPattern("r3 +It has ended\\.");
            assertThat(Json.parse(json.output())
                            .orElseThrow()
                            .at("/failures/0/run_id")
                            .asText())
                    .isEqualTo("r3");
            assertThat(gateway.requests().getFirst().body().path("run_ids").toString())
                    .isEqualTo("[\"r1\",\"r2\",\"r3\"]");
        }
    }

    @Test
    void doesNotWaitWhereItIsToldNotTo() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /bulk-operations", 202, RUNNING);

            CliRunner.Outcome outcome = run(gateway, "skip", "a[1].b", "--all", "--result", "{\"x\":1}", "--detach");

            assertThat(outcome.output()).isEqualTo("b1\n");
            assertThat(gateway.requests()).hasSize(1);
            assertThat(gateway.requests().getFirst().body().path("step").asText())
                    .isEqualTo("a[1].b");
            assertThat(gateway.requests().getFirst().body().path("filter").toString())
                    .isEqualTo("{}");
        }
    }

    @Test
    void leavesOneRunToItsOwnOperation() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/r1:pause", 200, "{\"id\":\"r1\",\"state\":\"running\"}")
                    .on("POST /runs/r1:rerun", 202, "{\"id\":\"r2\",\"state\":\"queued\"}");

            assertThat(run(gateway, "pause", "r1").output()).startsWith("Run r1 is paused");
            assertThat(run(gateway, "rerun", "r1", "count[3]").output()).isEqualTo("r2\n");
        }
    }

    @Test
    void rerunsTheDeployedVersionWithAnotherInputOfTheStep() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /runs/r1", 200, "{\"id\":\"r1\",\"name\":\"shop/report\"}")
                    .on("GET /flows/shop/report", 200, "{\"hash\":\"abc\"}")
                    .on("POST /runs/r1:rerun", 202, "{\"id\":\"r2\",\"state\":\"queued\"}");

            run(gateway, "rerun", "r1", "sum", "--deployed", "--step-input", "n=3", "--actor", "ann");

            assertThat(gateway.requests().getLast().body())
                    .isEqualTo(Json.parse(
                                    "{\"reason\":\"\",\"actor\":\"ann\",\"step\":\"sum\",\"step_input\":{\"n\":3},\"flow_hash\":\"abc\"}")
                            .orElseThrow());
            assertThat(run(gateway, "rerun", "--all", "sum", "--deployed").errors())
                    .contains("select its runs with --flow PATH");
        }
    }

    @Test
    void rerunsManyRunsWithTheDeployedVersionAndAnotherInputOfTheStep() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /flows/shop/report", 200, "{\"hash\":\"abc\"}")
                    .on("POST /bulk-operations", 202, ENDED.formatted(3, 0));

            run(
                    gateway,
                    "rerun",
                    "sum",
                    "--flow",
                    "shop/report",
                    "--state",
                    "failed",
                    "--deployed",
                    "--step-input",
                    "n=3",
                    "--actor",
                    "ann");

            assertThat(gateway.requests().getLast().body())
                    .isEqualTo(Json.parse(
                                    "{\"reason\":\"\",\"actor\":\"ann\",\"operation\":\"rerun\",\"step\":\"sum\",\"step_input\":{\"n\":3},"
                                            + "\"flow_hash\":\"abc\",\"filter\":{\"flow\":\"shop/report\",\"states\":[\"failed\"]}}")
                            .orElseThrow());
        }
    }

    @Test
    void cancelsOneRunWithTheNoteForTheRecord() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/r1:cancel", 200, "{\"id\":\"r1\",\"state\":\"canceled\"}");

            CliRunner.Outcome outcome = run(gateway, "cancel", "r1", "--reason", "why", "--actor", "ann");

            assertThat(outcome.output()).isEqualTo("Run r1 is canceled.\n");
            assertThat(gateway.requests().getLast().body())
                    .isEqualTo(
                            Json.parse("{\"reason\":\"why\",\"actor\":\"ann\"}").orElseThrow());
        }
    }

    @Test
    void asksWhichRunsAreMeant() {
        try (FakeGateway gateway = FakeGateway.start()) {
            assertThat(run(gateway, "cancel").exitCode()).isEqualTo(2);
            assertThat(run(gateway, "cancel", "r1", "--all").exitCode()).isEqualTo(2);
            assertThat(run(gateway, "restart", "r1", "r2", "-i", "a=1").exitCode())
                    .isEqualTo(2);
            assertThat(gateway.requests()).isEmpty();
        }
    }

    @Test
    void listsShowsAndCancelsOperations() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /bulk-operations", 200, "{\"items\":[" + RUNNING + "],\"next_page_token\":\"\"}")
                    .on("GET /bulk-operations/b1", 200, RUNNING)
                    .on("POST /bulk-operations/b1:cancel", 200, RUNNING.replace("running", "canceling"));

            assertThat(run(gateway, "bulk", "list").output()).contains("b1", "cancel", "running");
            assertThat(run(gateway, "bulk", "get", "b1").output()).contains("0 of 3 runs done");
            assertThat(run(gateway, "bulk", "cancel", "b1").output()).contains("(canceling)");
        }
    }

    private static CliRunner.Outcome run(FakeGateway gateway, String... arguments) {
        List<String> all = new ArrayList<>(List.of("runs"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--server", gateway.url()));
        return CliRunner.run(all.toArray(String[]::new));
    }
}
