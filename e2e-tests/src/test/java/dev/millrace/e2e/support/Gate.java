package dev.millrace.e2e.support;

import dev.millrace.harness.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Holds jobs at a point of a test's choice: a job records its arrival in a file and continues when the gate is open.
 */
public final class Gate {
    /** Python script that waits at the gate and returns its process id. */
    public static final String PYTHON = """
            import os, time

            def main(arrivals: str, opened: str):
                with open(arrivals, "a") as file:
                    file.write(f"{os.getpid()}\\n")
                while not os.path.exists(opened):
                    time.sleep(0.01)
                return os.getpid()
            """;

    private final Path arrivals;
    private final Path opened;

    public Gate(Path folder) {
        this.arrivals = folder.resolve("arrivals");
        this.opened = folder.resolve("opened");
    }

    /** Input that makes a job wait at this gate. */
    public Map<String, Object> input() {
        return Map.of("arrivals", arrivals.toString(), "opened", opened.toString());
    }

    /** Process ids of all attempts that have arrived, in order. */
    public List<Long> arrivals() {
        try {
            return Files.exists(arrivals)
                    ? Files.readAllLines(arrivals).stream().map(Long::valueOf).toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void awaitArrivals(int count) {
        Await.until(
                count + " attempts have begun",
                Api.PATIENCE,
                () -> arrivals().size() >= count,
                () -> arrivals().toString());
    }

    public void open() {
        try {
            Files.createFile(opened);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
