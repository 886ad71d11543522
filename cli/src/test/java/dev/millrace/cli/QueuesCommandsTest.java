package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class QueuesCommandsTest {
    private static final String QUEUES = """
            {"items": [
              {"tag": "gpu", "waiting": 10000, "has_more_waiting": true, "oldest_time": "2020-01-01T00:00:00Z", "running": 3,
               "slots": 4, "workers": 2, "rate": {"enqueued_per_second": 12.4, "leased_per_second": 0.25},
               "pause": {"actor": "ada", "reason": "driver update", "pause_time": "2020-01-01T00:00:00Z"},
               "reasons": ["The tag is paused."]}],
             "has_more": false}
            """;

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void listsAndShowsQueues() {
        gateway.on("GET /queues", 200, QUEUES);

        assertThat(run("list").output())
                .containsPattern("gpu +10000\\+ .* h .* 3 +4 +12 +0\\.3 +by ada: driver update");
        assertThat(run("get", "gpu").output())
                .contains("gpu: 10000+ waiting, the oldest for", "3 running; 4 slots of 2 workers")
                .contains("Paused by ada: driver update", "The tag is paused.");
        CliRunner.Outcome unknown = run("get", "cpu");
        assertThat(unknown.exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(unknown.errors()).contains("\"cpu\"", "millrace queues list");
    }

    @Test
    void pausesAndResumes() {
        gateway.on(
                "POST /queues:pause",
                200,
                "{\"tag\":\"gpu\",\"pause\":{\"actor\":\"ada\",\"reason\":\"\",\"pause_time\":\"2020-01-01T00:00:00Z\"}}");
        gateway.on("POST /queues:resume", 200, "{\"tag\":\"gpu\"}");

        assertThat(run("pause", "gpu", "--reason", "driver update", "--for", "2h")
                        .output())
                .startsWith("Paused the tag gpu.");
        assertThat(gateway.requests().getFirst().body().toString())
                .contains("\"tag\":\"gpu\"", "\"reason\":\"driver update\"", "\"length\":\"2h\"");
        assertThat(run("resume", "gpu").output()).startsWith("The tag gpu was not paused.");
    }

    @Test
    void listsLimits() {
        gateway.on(
                "GET /limits",
                200,
                "{\"items\":[{\"kind\":\"jobs\",\"key\":\"printer\",\"max\":2,\"rate\":{\"count\":5,\"per\":\"60s\"},"
                        + "\"waiting\":7,\"has_more_waiting\":false,\"running\":2}],\"next_page_token\":\"\"}");

        assertThat(run("limits").output()).containsPattern("jobs +printer +7 +2 +2 at a time, 5 per 60s");
    }

    @Test
    void showsTheMinutesInWhichSomethingHappened() {
        gateway.on("GET /activity", 200, """
                {"minutes": [
                  {"start_time": "2020-01-01T00:00:00Z", "runs_accepted": 3, "runs_succeeded": 1, "runs_failed": 2,
                   "runs_canceled": 0, "waits": {"jobs": 4, "median": "0.005s", "p95": "1.2s"}},
                  {"start_time": "2020-01-01T00:01:00Z", "runs_accepted": 0, "runs_succeeded": 0, "runs_failed": 0,
                   "runs_canceled": 0, "waits": {"jobs": 0}}],
                 "waits": {"jobs": 4, "median": "0.005s", "p95": "1.2s"}}
                """);

        CliRunner.Outcome shown = run("activity", "--minutes=5");

        assertThat(shown.errors()).isEmpty();
        assertThat(shown.output().lines()).hasSize(2).last().asString().containsPattern("3 +1 +2 +0 +4 +0.005s +1.2s");
    }

    private CliRunner.Outcome run(String command, String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "queues";
        all[1] = command;
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        all[all.length - 1] = "--server=" + gateway.url();
        return CliRunner.run(all);
    }
}
