package dev.millrace.e2e.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Every worker plays every scenario, as {@code e2e-tests/conformance/README.md} describes. */
final class ConformanceTest {
    private static final Path SCENARIOS = MillraceHome.find().path().resolve("e2e-tests/conformance");
    private static final String ENDING = ".yaml";

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("plays")
    void plays(WorkerUnderTest worker, String scenario, @TempDir Path folder) throws Exception {
        Path log = folder.resolve("worker.log");
        try (var scheduler = new ScriptedScheduler()) {
            Process process = worker.start(scheduler.target(), log);
            try {
                new Play(scheduler, process).run(steps(scenario));
            } catch (AssertionError unmet) {
                throw new AssertionError(
                        unmet.getMessage() + "\nThe output of the worker:\n" + Files.readString(log), unmet);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    static Stream<Arguments> plays() {
        List<String> scenarios = scenarios();
        return Arrays.stream(WorkerUnderTest.values())
                .flatMap(worker -> scenarios.stream().map(scenario -> Arguments.of(worker, scenario)));
    }

    private static List<String> scenarios() {
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode steps(String scenario) throws IOException {
        String text = Files.readString(SCENARIOS.resolve(scenario + ENDING));
        return Json.of(new Yaml(new SafeConstructor(new LoaderOptions())).<List<Object>>load(text));
    }
}
