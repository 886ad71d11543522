package dev.millrace.e2e.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Folder {@code DIALECT/NAME} with {@code flow.yaml} or {@code flow.json}, {@code input.json} if the flow takes an
 * input, {@code expected.json}, and scripts. Its subfolder {@code flows/} has other flows to deploy first.
 */
record FlowFolder(String dialect, String name) {
    static final Path ROOT = MillraceHome.find().path().resolve("e2e-tests/flows");

    private static final List<String> NO_SCRIPTS =
            List.of("flow.yaml", "flow.json", "input.json", "env.json", "expected.json");

    /** All folders in the order of their names. */
    static List<FlowFolder> all() {
        return files(ROOT)
                .map(ROOT::relativize)
                .filter(file -> file.endsWith("expected.json"))
                .map(file -> new FlowFolder(
                        file.getName(0).toString(), file.getName(1).toString()))
                .toList();
    }

    /** Name of the deployed flow. */
    String flowPath() {
        return "e2e/" + toString().toLowerCase(Locale.ROOT);
    }

    Path definition() {
        Path yaml = folder().resolve("flow.yaml");
        return Files.exists(yaml) ? yaml : folder().resolve("flow.json");
    }

    /** Definitions of the flows to deploy first, which contain their names. */
    List<Path> otherFlows() {
        Path flows = folder().resolve("flows");
        return Files.isDirectory(flows) ? files(flows).toList() : List.of();
    }

    /** Scripts by path relative to the flow. */
    Map<String, String> scripts() {
        var scripts = new TreeMap<String, String>();
        List<Path> others = otherFlows();
        files(folder())
                .filter(file -> !others.contains(file) && NO_SCRIPTS.stream().noneMatch(file::endsWith))
                .forEach(file -> scripts.put(folder().relativize(file).toString(), read(file)));
        return scripts;
    }

    JsonNode input() {
        return object("input.json");
    }

    /** The environment of the run. */
    JsonNode env() {
        return object("env.json");
    }

    private JsonNode object(String name) {
        Path file = folder().resolve(name);
        return Json.parse(Files.exists(file) ? read(file) : "{}");
    }

    JsonNode expected() {
        return Json.parse(read(folder().resolve("expected.json")));
    }

    private Path folder() {
        return ROOT.resolve(dialect, name);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return dialect + "/" + name;
    }
}
