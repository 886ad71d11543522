package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandTest {
    private static final Command.Environment ENVIRONMENT = new Command.Environment(Map.of("PATH", "/usr/bin:/bin"));

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
    void killsAProgramWhoseTimeIsOverAndThoseThatItHasStarted() throws Exception {
        Command.Result result = Command.run(
                List.of("sh", "-c", "sleep 987654 & wait"), ENVIRONMENT, new byte[0], Duration.ofMillis(300));

        assertThat(result.exitCode()).isEqualTo(Command.TIMED_OUT);
        assertThat(result.errors()).isEqualTo("it has not ended within 0 minutes");
        assertThat(ProcessHandle.allProcesses()
                        .map(process -> process.info().commandLine().orElse("")))
                .noneMatch(line -> line.equals("sleep 987654"));
    }
}
