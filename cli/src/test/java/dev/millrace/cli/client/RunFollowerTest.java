package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.FakeGateway;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunFollowerTest {
    private static final String RUNNING = "{\"id\":\"r1\",\"state\":\"running\"}";
    private static final String SUCCEEDED = "{\"id\":\"r1\",\"state\":\"succeeded\",\"output\":42}";

    @Test
    void opensABrokenStreamAgainAndTellsEachLogOnce() {
        List<String> logs = new ArrayList<>();
        try (FakeGateway gateway = FakeGateway.start();
                MillraceClient client = new MillraceClient(URI.create(gateway.url()))) {
            gateway.onStream("GET /runs/r1/events", "run", RUNNING, "log", log(0, "one"), "log", log(1, "two"))
                    .onStream(
                            "GET /runs/r1/events",
                            "run",
                            RUNNING,
                            "log",
                            log(0, "one"),
                            "log",
                            log(1, "two"),
                            "log",
                            log(2, "three"),
                            "run",
                            SUCCEEDED,
                            "end",
                            "{}")
                    .on("GET /runs/r1", 200, SUCCEEDED);

            Run run = new RunFollower(client, "r1", true).follow((name, data) -> {
                if (name.equals("log")) {
                    logs.add(LogChunk.of(data).text());
                }
            });

            assertThat(run.output().asInt()).isEqualTo(42);
        }
        assertThat(logs).containsExactly("one", "two", "three");
    }

    private static String log(int sequence, String text) {
        return "{\"job_id\":\"j\",\"attempt\":1,\"sequence\":" + sequence + ",\"text\":\"" + text + "\"}";
    }
}
