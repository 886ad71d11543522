package dev.millrace.hangwatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HangWatchTest {
    @Test
    void endsAJvmWhoseTestHangsAndShowsWhere(@TempDir Path folder) throws Exception {
        Files.createDirectory(folder.resolve("target"));

        Process hanging = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-D" + HangWatch.SILENCE + "=1",
                        Hanging.class.getName()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();

        String output = new String(hanging.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output)
                .contains("No test has begun or ended for ")
                .contains("dev.millrace.hangwatch.Hanging.waitsForever")
                .contains("java.util.concurrent.CompletableFuture.join(");
        assertThat(hanging.waitFor()).isEqualTo(HangWatch.HANGS);
    }
}
