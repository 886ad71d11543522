package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.harness.Await;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running {@code millrace dev} on free ports, whose data is deleted at the end. */
final class DevProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(40);
    private static final Pattern REST = Pattern.compile("REST +(http://localhost:\\d+)");
    private static final Pattern READY = Pattern.compile("(Try: .*)");

    private final Process process;
    private final Path log;

    private DevProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param folder for its output
     */
    static DevProcess start(Path folder, String... options) {
        MillraceHome home = MillraceHome.find();
        Path log = folder.resolve("dev.log");
        List<String> arguments = new ArrayList<>(List.of("dev", "--ephemeral", "--http-port", "0", "--grpc-port", "0"));
        arguments.addAll(List.of(options));
        var builder = new ProcessBuilder(home.command(List.of("-Xmx512m"), arguments));
        builder.environment().put("MILLRACE_HOME", home.path().toString());
        try {
            DevProcess dev = new DevProcess(
                    builder.redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start(),
                    log);
            dev.awaitReady();
            return dev;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        try {
            Await.until(
                    "dev is ready", START_LIMIT, () -> READY.matcher(output()).find(), this::output);
        } catch (AssertionError notReady) {
            close();
            throw notReady;
        }
    }

    URI gatewayUrl() {
        return URI.create(found(REST));
    }

    /** The first group of a pattern in the output. */
    String found(Pattern pattern) {
        Matcher matcher = pattern.matcher(output());
        assertThat(matcher.find()).as("%s in %s", pattern, output()).isTrue();
        return matcher.group(1);
    }

    String output() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new AssertionError("The log of dev cannot be read.", e);
        }
    }

    /** Ends it by a signal, as Ctrl-C does. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
