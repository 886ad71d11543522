package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import dev.millrace.e2e.support.SharedInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Logs and state changes of a run as they happen. */
@ExtendWith(SharedInstallation.class)
final class LiveLogTest {
    private static final int FOLLOWERS = 5;
    private static final String STEPPED = """
            import os, time

            def main(folder: str):
                for number in range(3):
                    print(f"line {number}")
                    while not os.path.exists(os.path.join(folder, str(number))):
                        time.sleep(0.01)
                return "done"
            """;

    @Test
    void reachesEveryFollowerLineByLineWhileTheJobRuns(Api api, @TempDir Path folder) throws IOException {
        api.deployScript("log/stepped.py", STEPPED);
        String run = api.submit(
                Map.of("target", Map.of("script", "log/stepped.py"), "input", Map.of("folder", folder.toString())));
        var followers = new ArrayList<EventStream>();
        for (int i = 0; i < FOLLOWERS; i++) {
            followers.add(api.follow("/api/v1/runs/" + run + "/logs?follow=true"));
        }

        for (int number = 0; number < 3; number++) {
            String line = "line " + number + "\n";
            for (EventStream follower : followers) {
                follower.await(
                        line,
                        Api.PATIENCE,
                        event -> event.data().path("text").asText().contains(line));
            }
            Files.createFile(folder.resolve(Integer.toString(number)));
        }

        for (EventStream follower : followers) {
            assertThat(text(follower.awaitEnd(Api.PATIENCE))).isEqualTo("line 0\nline 1\nline 2\n");
        }
        assertThat(text(api.follow("/api/v1/runs/" + run + "/logs?follow=true").awaitEnd(Api.PATIENCE)))
                .as("to one who comes after the end")
                .isEqualTo("line 0\nline 1\nline 2\n");
    }

    @Test
    void tellsARunFromItsFirstStateToItsLast(Api api) {
        api.deployScript(
                "log/hello.ts",
                "export function main(name: string) {\n  console.log('hello');\n  return 'hello ' + name;\n}\n");
        api.deployFlow("""
                millrace: v1
                name: log-flow
                steps:
                  - id: greet
                    script: log/hello.ts
                    input: {name: Ada}
                """, Map.of());

        String run = api.submit(Map.of("target", Map.of("flow", "log-flow")));
        List<EventStream.Event> events = api.followRun(run).awaitEnd(Api.PATIENCE);

        assertThat(events.getFirst().type()).isEqualTo("run");
        assertThat(events.getLast().type()).isEqualTo("end");
        EventStream.Event last = events.get(events.size() - 2);
        assertThat(last.type()).isEqualTo("run");
        assertThat(last.data().path("state").asText()).isEqualTo("succeeded");
        assertThat(last.data().path("output").asText()).isEqualTo("hello Ada");
        assertThat(events)
                .anyMatch(event -> event.type().equals("step")
                        && event.data().path("key").asText().equals("greet")
                        && event.data().path("state").asText().equals("succeeded"));
        assertThat(events)
                .anyMatch(event -> event.type().equals("log")
                        && event.data().path("text").asText().contains("hello"));
    }

    private static String text(List<EventStream.Event> events) {
        var text = new StringBuilder();
        events.stream()
                .filter(event -> event.type().equals("log"))
                .forEach(event -> text.append(event.data().path("text").asText()));
        return text.toString();
    }
}
