package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace dev FOLDER} deploys what is saved there. */
final class DevReloadTest {
    private static final String FLOW = """
            millrace: v1
            name: greeting
            steps:
              - {id: greet, script: greet.py}
            output: ${{ steps.greet.result }}
            """;

    @Test
    void whatIsSavedRunsAtOnce(@TempDir Path folder, @TempDir Path output) throws IOException {
        write(folder.resolve("greet.py"), "hello");
        Files.writeString(folder.resolve("flow.yaml"), FLOW);
        try (DevProcess dev = DevProcess.start(output, folder.toString())) {
            Api api = new Api(dev.gatewayUrl());
            await(dev, "Deployed 1 flow and 1 script");
            assertThat(greeting(api)).isEqualTo("hello");

            write(folder.resolve("greet.py"), "good morning");
            await(dev, "Reloaded 1 flow and 1 script");
            assertThat(greeting(api)).isEqualTo("good morning");

            Files.writeString(folder.resolve("flow.yaml"), FLOW.replace("greet.result", "gone.result"));
            await(dev, "flow.yaml:5");
            assertThat(greeting(api)).as("the version before the broken one").isEqualTo("good morning");

            Files.writeString(folder.resolve("flow.yaml"), FLOW);
            await(dev, "flow.yaml is in order again.");
        }
    }

    private static void write(Path file, String greeting) throws IOException {
        Files.writeString(file, "def main():\n    return \"" + greeting + "\"\n");
    }

    private static void await(DevProcess dev, String text) {
        Await.until("dev says " + text, Api.PATIENCE, () -> dev.output().contains(text), dev::output);
    }

    private static String greeting(Api api) {
        return api.runToEnd(Map.of("target", Map.of("flow", "greeting")))
                .path("output")
                .asText();
    }
}
