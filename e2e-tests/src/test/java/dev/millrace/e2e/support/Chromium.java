package dev.millrace.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A real browser, which a script of {@code e2e-tests/browser} drives.
 *
 * @param program path of the browser
 * @param scripts folder with the scripts and their library
 */
public record Chromium(Path program, Path scripts) {
    private static final Path[] USUAL = {
        Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"), Path.of("/usr/bin/google-chrome")
    };

    /** Finds the browser and what drives it, or skips the test. */
    public static Chromium findOrSkip() {
        String named = System.getenv().getOrDefault("MILLRACE_TEST_BROWSER", "");
        Optional<Path> program = named.isEmpty()
                ? Stream.of(USUAL).filter(Files::isExecutable).findFirst()
                : Optional.of(Path.of(named));
        assumeTrue(
                program.isPresent(),
                "There is no Chromium at its usual places: install it, or set MILLRACE_TEST_BROWSER to its path.");
        Path scripts = MillraceHome.find().path().resolve("e2e-tests/browser");
        assumeTrue(
                Files.exists(scripts.resolve("node_modules/playwright-core")),
                "The library that drives the browser is missing: run 'npm ci' in " + scripts + ".");
        return new Chromium(program.orElseThrow(), scripts);
    }

    /**
     * Runs a script to its end.
     *
     * @param task what the script is told
     * @param pictures folder for the pictures that it takes
     * @return the JSON that it prints
     */
    public JsonNode run(String script, Map<String, Object> task, Path pictures) {
        try {
            Files.createDirectories(pictures);
            Process process = new ProcessBuilder("node", scripts.resolve(script).toString())
                    .redirectError(pictures.resolve("browser.log").toFile())
                    .start();
            var told = new HashMap<>(task);
            told.put("browser", program.toString());
            told.put("pictures", pictures.toAbsolutePath().toString());
            try (var input = process.getOutputStream()) {
                input.write(Json.of(told).toString().getBytes(StandardCharsets.UTF_8));
            }
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor())
                    .as(Files.readString(pictures.resolve("browser.log")))
                    .isZero();
            return Json.parse(printed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a browser ran.", e);
        }
    }
}
