package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import org.junit.jupiter.api.Test;

class RunsWaitCommandsTest {
    @Test
    void listsWhatARunWaitsFor() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /runs/r1/waits", 200, """
                    {"items":[{"step":"ship","kind":"approval","name":"release","required":2,"received":1,
                     "details":{"title":"Ship it?"}},{"step":"pause","kind":"timer","required":0}],"next_page_token":""}
                    """);

            CliRunner.Outcome outcome = CliRunner.run("runs", "waits", "r1", "--server", gateway.url());

            assertThat(outcome.output().lines())
                    .anySatisfy(line -> assertThat(line).contains("ship", "approval", "release", "1 of 2", "Ship it?"))
                    .anySatisfy(
                            line -> assertThat(line).contains("pause", "timer").doesNotContain("of"));
        }
    }

    @Test
    void explainsWhatEachStepWaitsFor() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /runs/r1/explanation", 200, """
                    {"summary":"It waits.","steps":[{"step":"a","cause":"no_worker","text":"No worker."},
                     {"step":"","cause":"running","text":"It runs."}],"steps_left_out":3}
                    """);

            CliRunner.Outcome outcome = CliRunner.run("runs", "explain", "r1", "--server", gateway.url());

            assertThat(outcome.output()).isEqualTo("It waits.\na: No worker.\nIt runs.\nAnd 3 further steps.\n");
        }
    }

    @Test
    void sendsASignal() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/r1:signal", 200, "{\"step\":\"\"}")
                    .on("POST /runs/r1:signal", 200, "{\"step\":\"w\"}");

            CliRunner.Outcome kept = CliRunner.run(
                    "runs",
                    "signal",
                    "r1",
                    "go",
                    "--payload",
                    "{\"n\":1}",
                    "--actor",
                    "ann",
                    "--server",
                    gateway.url());
            CliRunner.Outcome took = CliRunner.run("runs", "signal", "r1", "go", "--server", gateway.url());

            assertThat(kept.output()).isEqualTo("The run keeps the signal until a step waits for it.\n");
            assertThat(took.output()).isEqualTo("Step w received the signal.\n");
            FakeGateway.Request sent = gateway.requests().getFirst();
            assertThat(sent.body().toString()).isEqualTo("{\"actor\":\"ann\",\"payload\":{\"n\":1},\"name\":\"go\"}");
            assertThat(sent.requestId()).isNotEmpty();
        }
    }

    @Test
    void answersForAPerson() {
        try (FakeGateway gateway = FakeGateway.start()) {
            for (String verb : new String[] {"approve", "deny", "complete"}) {
                gateway.on("POST /runs/r1:" + verb, 200, "{\"step\":\"ship\"}")
                        .on("GET /runs/r1/waits", 200, "{\"items\":[],\"next_page_token\":\"\"}");
            }

            assertThat(answer(gateway, "approve").output()).isEqualTo("Step ship is approved.\n");
            assertThat(answer(gateway, "deny").output()).isEqualTo("Step ship is denied.\n");
            assertThat(answer(gateway, "complete").output()).isEqualTo("Step ship is completed.\n");
            assertThat(gateway.requests())
                    .filteredOn(request -> request.path().endsWith(":complete"))
                    .extracting(request -> request.body().toString())
                    .containsExactly("{\"actor\":\"ann\",\"payload\":\"fine by me\",\"step\":\"ship\"}");
        }
    }

    @Test
    void saysThatFurtherAnswersAreAwaited() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/r1:approve", 200, "{\"step\":\"ship\"}").on("GET /runs/r1/waits", 200, """
                    {"items":[{"step":"other","received":0,"required":1},{"step":"ship","received":1,"required":2}],
                     "next_page_token":""}
                    """);

            assertThat(answer(gateway, "approve").output())
                    .isEqualTo("Step ship has 1 of 2 answers, and waits for the others.\n");
        }
    }

    @Test
    void printsLinksThatCanBeOpened() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/r1/wait-links", 200, """
                    {"items":[{"actor":"ann","accept_path":"/api/v1/runs/r1/wait-links/a.b","deny_path":"/api/v1/runs/r1/wait-links/c.d"}],
                     "next_page_token":""}
                    """);

            CliRunner.Outcome outcome = CliRunner.run(
                    "runs",
                    "wait-links",
                    "r1",
                    "ship",
                    "--for",
                    "ann",
                    "--valid-for",
                    "12h",
                    "--server",
                    gateway.url());

            assertThat(outcome.output())
                    .contains("ann  accept  " + gateway.url() + "/api/v1/runs/r1/wait-links/a.b")
                    .contains("ann  deny    " + gateway.url() + "/api/v1/runs/r1/wait-links/c.d");
            assertThat(gateway.requests().getLast().body().toString())
                    .isEqualTo("{\"step\":\"ship\",\"actors\":[\"ann\"],\"valid_for\":\"12h\"}");
        }
    }

    @Test
    void revokesLinks() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /runs/r1/wait-links:revoke", 200, "{\"revoke_time\":\"2026-11-24T12:00:00Z\"}");

            String ofAnn = CliRunner.run(
                            "runs", "revoke-wait-links", "r1", "ship", "--for", "ann", "--server", gateway.url())
                    .output();
            String ofAll = CliRunner.run("runs", "revoke-wait-links", "r1", "ship", "--server", gateway.url())
                    .output();

            assertThat(ofAnn).isEqualTo("Revoked the links of ann for step ship.\n");
            assertThat(ofAll).isEqualTo("Revoked the links of everybody for step ship.\n");
            assertThat(gateway.requests())
                    .extracting(request -> request.body().toString())
                    .contains("{\"step\":\"ship\",\"actors\":[\"ann\"]}", "{\"step\":\"ship\"}");
        }
    }

    private static CliRunner.Outcome answer(FakeGateway gateway, String verb) {
        return CliRunner.run(
                "runs", verb, "r1", "ship", "--payload", "fine by me", "--actor", "ann", "--server", gateway.url());
    }
}
