package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandTest {
    private static final Command.Environment ENVIRONMENT =
            new Command.Environment(Map.of("PATH", "/usr/bin:/bin"), List.of());

    @TempDir
    private Path folder;

    @Test
    void returnsWhatAProgramWritesAndHowItEnds() throws Exception {
        Command.Result result =
                Command.run(List.of("sh", "-c", "cat; echo wrong >&2; exit 3"), ENVIRONMENT, new byte[] {'a'});

        assertThat(result).isEqualTo(new Command.Result(3, "a", "wrong"));
    }

    @Test
    void endsWithAProgramThatDoesNotReadItsInput() throws Exception {
        Command.Result result = Command.run(List.of("true"), ENVIRONMENT, new byte[1 << 20]);

        assertThat(result.exitCode()).isZero();
    }

    @Test
    void killsAProgramWhoseJobIsCanceled() throws Exception {
        Path pid = folder.resolve("pid");
        new ProcessBuilder("mkfifo", pid.toString()).start().waitFor();
        var failure = new CompletableFuture<IOException>();
        Thread job = new Thread(() -> {
            try {
                Command.run(
                        List.of("sh", "-c", "echo $$ > \"$0\"; exec sleep 987653", pid.toString()),
                        ENVIRONMENT,
                        new byte[0]);
            } catch (IOException canceled) {
                failure.complete(canceled);
            }
        });
        job.start();
        long program = Long.parseLong(Files.readString(pid).strip());

        job.interrupt();

        assertThat(failure.get(1, TimeUnit.MINUTES)).hasMessageContaining("canceled");
        assertThat(ProcessHandle.of(program).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void saysHowAProgramEndedThatSaidNothing() throws Exception {
        Command.Result result = Command.run(List.of("sh", "-c", "kill -KILL $$"), ENVIRONMENT, new byte[0]);

        assertThat(result.reason("uv")).isEqualTo("uv ended with code 137 and said nothing.");
    }

    @Test
    void killsAProgramWhoseTimeIsOverAndThoseThatItHasStarted() throws Exception {
        Command.Result result = Command.run(
                List.of("sh", "-c", "sleep 987654 & wait"), ENVIRONMENT, new byte[0], Duration.ofMillis(300));

        assertThat(result.exitCode()).isEqualTo(Command.TIMED_OUT);
        assertThat(result.errors()).isEqualTo("it has not ended within 0 s");
        assertThat(ProcessHandle.allProcesses()
                        .map(process -> process.info().commandLine().orElse("")))
                .noneMatch(line -> line.equals("sleep 987654"));
    }
}
