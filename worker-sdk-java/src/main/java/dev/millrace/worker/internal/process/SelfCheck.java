package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.runtime.FileTree;
import dev.millrace.worker.internal.runtime.JobScope;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.language.ScriptLanguage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells faults of the worker from faults of a job. It checks whether a script of the worker's own can be written and
 * started in the same way as those of jobs. Thread-safe; blocks for as long as a process takes to start.
 */
final class SelfCheck implements AutoCloseable {
    /** A process that is not ready after this time never will be. */
    static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    /** If a disk lacks room for this, it lacks room for scripts, too. */
    static final int BALLAST_BYTES = 1 << 20;

    /** Key of the private folder of the check's processes. */
    private static final ScriptKey KEY = new ScriptKey(new JobScope("millrace", ""), "self-check");

    /** Scripts that do nothing. */
    private static final Map<ScriptRuntime, String> BUILT_IN =
            Map.of(ScriptRuntime.PYTHON, "def main():\n    pass\n", ScriptRuntime.DENO, "export function main() {}\n");

    private static final int SHOWN_MAX = 500;

    private static final Logger logger = LoggerFactory.getLogger(SelfCheck.class);

    private final Path folder;
    private final ProcessLauncher launcher;
    private final PreparedVersions versions;
    private final ScheduledExecutorService timers = Threads.timer("millrace-self-check");

    SelfCheck(Path folder, ProcessLauncher launcher, PreparedVersions versions) {
        this.folder = requireNonNull(folder, "folder");
        this.launcher = requireNonNull(launcher, "launcher");
        this.versions = requireNonNull(versions, "versions");
    }

    /**
     * Returns the fault of this worker in a full sentence; empty if there is none.
     *
     * @param runtime kind of process to try; null tries none
     */
    Optional<String> run(@Nullable ScriptRuntime runtime) {
        Path place = null;
        try {
            place = Files.createTempDirectory(Files.createDirectories(folder), "check-");
            Files.write(place.resolve("ballast"), new byte[BALLAST_BYTES]);
            Files.delete(place.resolve("ballast"));
            if (runtime == null) {
                return Optional.empty();
            }
            return runtime.language().isPresent()
                    ? ofLanguage(place, runtime, runtime.language().get())
                    : start(runtime, sample(place, runtime, BUILT_IN.getOrDefault(runtime, "")));
        } catch (IOException e) {
            return Optional.of("The worker cannot write its folder " + folder + ": " + e + ".");
        } catch (LoadException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } finally {
            delete(place);
        }
    }

    /** Looks for the program of a language, and tries the sample of the language if it has one. */
    private Optional<String> ofLanguage(Path place, ScriptRuntime runtime, ScriptLanguage language) throws IOException {
        if (language.version().isEmpty()) {
            return Optional.of("The worker cannot run scripts in " + runtime.inWords()
                    + ": the program for them does not tell its version. Install it again, or put it back.");
        }
        if (language.sample().isEmpty()) {
            return Optional.empty();
        }
        Script script = sample(place, runtime, language.sample().get());
        try {
            Script prepared = versions.prepareIn(place.resolve("prepared"), script);
            return runtime.runsOnce() ? Optional.empty() : start(runtime, prepared);
        } catch (IOException e) {
            return Optional.of("The worker cannot prepare scripts in " + runtime.inWords() + ": " + e.getMessage());
        }
    }

    private static Script sample(Path place, ScriptRuntime runtime, String text) throws IOException {
        Path folder = Files.createDirectory(place.resolve("script"));
        Path file = Files.writeString(folder.resolve("check" + runtime.fileEnding()), text);
        return new Script(file.toAbsolutePath(), runtime);
    }

    private Optional<String> start(ScriptRuntime runtime, Script script) throws IOException {
        ProcessLauncher.Started started;
        try {
            started = launcher.start(KEY, script);
        } catch (IOException e) {
            return Optional.of("The worker cannot start " + runtime.inWords() + ": " + e.getMessage() + ".");
        }
        Process process = started.process();
        try {
            // Process.destroyForcibly would also close the streams, which are still read.
            var unused = timers.schedule(
                    () -> process.toHandle().destroyForcibly(), START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            String said = firstLine(process.getInputStream());
            return said.startsWith("{\"type\":\"ready\"")
                    ? Optional.empty()
                    : Optional.of("The worker cannot start " + runtime.inWords() + ": "
                            + (said.isEmpty() ? silence(process) : said));
        } catch (RejectedExecutionException e) {
            return Optional.of("The worker is stopping.");
        } finally {
            launcher.kill(process, started.processId());
            launcher.forget(process, started.processId());
        }
    }

    /** What a process that has said nothing shows otherwise. */
    private static String silence(Process process) throws IOException {
        String shown = firstLine(process.getErrorStream());
        return shown.isEmpty() ? "a process was not ready within " + START_TIMEOUT.toSeconds() + " s." : shown;
    }

    /** Empty if the process ends without a line. */
    private static String firstLine(InputStream stream) throws IOException {
        String line = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line.substring(0, Math.min(line.length(), SHOWN_MAX));
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }

    private static void delete(@Nullable Path place) {
        if (place == null) {
            return;
        }
        try {
            FileTree.delete(place);
        } catch (IOException | UncheckedIOException e) {
            logger.debug("The folder of a self-check could not be deleted.", e);
        }
    }
}
