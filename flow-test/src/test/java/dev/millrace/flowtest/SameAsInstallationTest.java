package dev.millrace.flowtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.flowtest.script.ScriptHost;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The flows of {@code e2e-tests/flows} end in a simulation as their {@code expected.json} says, which a real
 * installation is held to by {@code FlowFilesTest}. Their Python scripts are run; flows that need more of a worker are
 * left out.
 */
final class SameAsInstallationTest {
    /** Scripts of Python have fakes, and flows with others are left out. */
    private static final StepScripts NO_SCRIPTS = new StepScripts(new ScriptHost(_ -> {
        throw new SimulationStopped("There is no fake.");
    }));

    private static final Path FLOWS = Path.of("../e2e-tests/flows");
    /** Flows with what simulations leave out, as the page for users says, or where they stop on purpose. */
    private static final Map<String, String> NOT_SIMULATED = Map.of(
            "cached-task", "it keeps results",
            "cached-step", "it keeps results",
            "cached-module", "it keeps results",
            "flow-rate", "it has a limit of runs",
            "limited-flow-inside", "it has a limit of runs",
            "sub-workflow-computed", "it runs a flow that does not exist, which stops a test",
            "run-of-its-own-failed", "it runs a flow that does not exist, which stops a test",
            "resource", "workers resolve resources");

    private static final Pattern ASKS_OR_WAITS = Pattern.compile("ctx|sleep|while |open\\(|environ|urllib");
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Number of flows that can be compared at least. */
    private static final int COMPARED_MIN = 140;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void flowsEndAsInARealInstallation() throws IOException {
        List<String> differences = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        int compared = 0;
        try (PythonScripts python = new PythonScripts(folder)) {
            for (Path flow : flows()) {
                Optional<String> reason = reasonToLeaveOut(flow);
                if (reason.isPresent()) {
                    leftOut.add(flow + ": " + reason.get());
                    continue;
                }
                try {
                    compare(flow, python).forEach(difference -> differences.add(flow + ": " + difference));
                    compared++;
                } catch (SimulationStopped stopped) {
                    if (!stopped.sentence().contains("no fake")) {
                        differences.add(flow + ": " + stopped.sentence());
                    } else {
                        leftOut.add(flow + ": no fake");
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).as("flows compared, without %s", leftOut).isGreaterThanOrEqualTo(COMPARED_MIN);
    }

    private static List<Path> flows() throws IOException {
        try (Stream<Path> found = Files.walk(FLOWS, 3)) {
            return found.filter(file -> file.endsWith("expected.json"))
                    .map(Path::getParent)
                    .sorted()
                    .toList();
        }
    }

    private static Optional<String> reasonToLeaveOut(Path flow) throws IOException {
        JsonNode expected = JSON.readTree(flow.resolve("expected.json").toFile());
        String name = String.valueOf(flow.getFileName());
        if (NOT_SIMULATED.containsKey(name)) {
            return Optional.of(NOT_SIMULATED.get(name));
        }
        if (expected.path("state").asText().equals("refused")) {
            return Optional.of("it is refused");
        }
        if (expected.has("do") || expected.has("again")) {
            return Optional.of("it needs operations");
        }
        if (Files.exists(flow.resolve("env.json"))) {
            return Optional.of("it needs an environment");
        }
        for (Path script : files(flow)) {
            String file = script.toString();
            String text = Files.readString(script);
            if (file.endsWith(".ts") || file.endsWith(".sh")) {
                return Optional.of("it has scripts in another language");
            }
            if (file.endsWith(".py") && ASKS_OR_WAITS.matcher(text).find()) {
                return Optional.of("its scripts ask their worker, or wait");
            }
        }
        return Optional.empty();
    }

    private static List<Path> files(Path flow) throws IOException {
        try (Stream<Path> found = Files.walk(flow)) {
            return found.filter(Files::isRegularFile).toList();
        }
    }

    private List<String> compare(Path flow, PythonScripts python) throws IOException {
        Path copy = Files.createDirectories(folder.resolve(flow.getFileName()));
        Map<String, Fake> fakes = new HashMap<>();
        for (Path file : files(flow)) {
            Path inside = flow.relativize(file);
            Path flat = inside.startsWith("flows") ? inside.subpath(1, inside.getNameCount()) : inside;
            Path target = copy.resolve(flat);
            Files.createDirectories(java.util.Objects.requireNonNull(target.getParent()));
            Files.write(target, Files.readAllBytes(file));
            if (file.toString().endsWith(".py")) {
                fakes.put(inside.toString(), python.fake(target));
            }
        }
        JsonNode expected = JSON.readTree(flow.resolve("expected.json").toFile());
        Path input = flow.resolve("input.json");
        FlowFolder flows = new FlowFolder(copy);
        SimulationResult result = new Simulation(flows, fakes, NO_SCRIPTS, 1, Simulation.BEGIN)
                .run(
                        flows.read(Files.exists(flow.resolve("flow.yaml")) ? "flow.yaml" : "flow.json"),
                        new Json(
                                Files.exists(input)
                                        ? JSON.readTree(input.toFile()).toString()
                                        : "{}"),
                        List.of());
        return differences(expected, result);
    }

    private static List<String> differences(JsonNode expected, SimulationResult result) throws IOException {
        List<String> found = new ArrayList<>();
        String state = stateOf(result.outcome());
        if (!state.equals(expected.path("state").asText())) {
            found.add("state " + result.outcome() + " (expected: " + expected.path("state") + ")");
        }
        if (expected.has("output")) {
            JsonNode output = JSON.readTree(result.output().map(Json::text).orElse("null"));
            if (!output.equals(expected.path("output"))) {
                found.add("output " + output + " (expected: " + expected.path("output") + ")");
            }
        }
        if (expected.has("error") && result.outcome() instanceof Outcome.Failed(JobError error)) {
            text("name", error.name(), expected.path("error"), found);
            text("message", error.message(), expected.path("error"), found);
        }
        expected.path("steps").forEachEntry((key, wanted) -> {
            String actual = Optional.ofNullable(result.steps().get(key))
                    .map(status -> status.name().toLowerCase(Locale.ROOT))
                    .orElse("null");
            String step = wanted.isObject() ? wanted.path("state").asText(actual) : wanted.asText();
            if (!actual.equals(step)) {
                found.add("step " + key + " " + actual + " (expected: " + step + ")");
            }
        });
        return found;
    }

    private static String stateOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded _ -> "succeeded";
            case Outcome.Failed _ -> "failed";
            case Outcome.Canceled _ -> "canceled";
            case Outcome.Skipped _ -> "skipped";
        };
    }

    private static void text(String what, String actual, JsonNode error, List<String> found) {
        String expected = error.path(what).asText("…");
        String pattern =
                Arrays.stream(expected.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        if (!Pattern.compile(pattern, Pattern.DOTALL).matcher(actual).matches()) {
            found.add(what + " \"" + actual + "\" (expected: \"" + expected + "\")");
        }
    }
}
