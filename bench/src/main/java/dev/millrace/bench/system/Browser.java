package dev.millrace.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A headless Chromium, which a script of {@code bench/console} drives.
 *
 * @param program path of the browser
 * @param scripts folder with the scripts and their libraries
 */
public record Browser(Path program, Path scripts) {
    private static final Duration INSTALL_LIMIT = Duration.ofMinutes(5);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
    private static final List<Path> USUAL = List.of(
            Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"), Path.of("/usr/bin/google-chrome"));
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Finds the browser, and installs the libraries that drive it in the versions pinned there. */
    public static Browser install() throws Exception {
        String named = System.getenv().getOrDefault("MILLRACE_TEST_BROWSER", "");
        Path program = (named.isEmpty() ? USUAL.stream() : Stream.of(Path.of(named)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "There is no Chromium at its usual places: install it, or set MILLRACE_TEST_BROWSER to its"
                                + " path."));
        Path scripts = MillraceHome.find().path().resolve("bench/console");
        if (!Files.isDirectory(scripts.resolve("node_modules/playwright-core"))) {
            var command = List.of("npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund");
            try (ChildProcess process = ChildProcess.start("install-console", scripts, command, Map.of())) {
                process.awaitEnd(INSTALL_LIMIT);
            }
        }
        return new Browser(program, scripts);
    }

    /**
     * Runs a script to its end; what it says goes to standard error.
     *
     * @param task a JSON object, to which the path of the browser is added
     * @return the JSON that it prints
     */
    public JsonNode run(String script, String task) throws IOException, InterruptedException {
        Process process = start(script, task);
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(script + " has failed with code " + process.exitValue() + ".");
            }
            return JSON.readTree(printed);
        } finally {
            process.destroy();
        }
    }

    /** Pages that stay open until they are closed. */
    public record OpenPages(Process process) implements AutoCloseable {
        @Override
        public void close() {
            process.destroy();
            try {
                if (!process.waitFor(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Starts a script that opens pages, and returns once it has printed a line, which says that they are open. */
    public OpenPages open(String script, String task) throws IOException {
        Process process = start(script, task);
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (line == null) {
            process.destroy();
            throw new IllegalStateException(script + " has ended before all pages were open.");
        }
        return new OpenPages(process);
    }

    private Process start(String script, String task) throws IOException {
        ObjectNode told = (ObjectNode) JSON.readTree(task);
        told.put("browser", program.toString());
        Process process = new ProcessBuilder("node", scripts.resolve(script).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var input = process.getOutputStream()) {
            input.write(told.toString().getBytes(StandardCharsets.UTF_8));
        }
        return process;
    }
}
