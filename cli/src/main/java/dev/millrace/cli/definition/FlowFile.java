package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.FlowProblem;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Flow definition in a file, with the scripts beside it.
 *
 * @param dialect language of the definition; empty if the server is to recognize it
 */
public record FlowFile(Path file, String definition, Optional<String> dialect) {
    private static final String ENDINGS = ".*\\.(yaml|yml|json)";

    /** Problems that the server found in a definition. */
    record Validation(JsonNode json, List<FlowProblem> problems) {}

    /**
     * A definition in the dialect {@code millrace}.
     *
     * @param embedded scripts that the original contained, by the paths under which the new definition names them
     * @param beside scripts that lie beside the definition
     */
    record Conversion(JsonNode json, Map<String, String> embedded, Map<String, String> beside) {
        String definition() {
            return json.path("definition").asText();
        }
    }

    public static boolean isFlow(String fileName) {
        return fileName.matches(ENDINGS);
    }

    /** Reads a definition whose dialect the server is to recognize. */
    public static FlowFile read(Path file) {
        return read(file, new DialectOption());
    }

    public static FlowFile read(Path file, DialectOption dialect) {
        return new FlowFile(file, TextFile.read(file), dialect.name());
    }

    /**
     * Stores the flow and its scripts on the server without deploying them, and returns the flow's hash.
     *
     * @param notices receives a line for each request of the definition that has no effect
     */
    public String store(MillraceClient client, Consumer<String> notices) {
        JsonNode stored =
                client.post(ApiPath.of("/flows"), validBody(client, notices).put("store_only", true));
        warnings(stored).forEach(notices);
        return stored.path("hash").asText();
    }

    /**
     * Deploys the flow with its scripts, and returns the answer.
     *
     * @param path path of the flow; empty means the name in the definition
     * @param notices receives a line for each module that its scripts miss
     */
    public JsonNode deploy(MillraceClient client, String path, String message, Consumer<String> notices) {
        ObjectNode body = validBody(client, notices);
        if (!path.isEmpty()) {
            body.put("path", path);
        }
        if (!message.isEmpty()) {
            body.put("message", message);
        }
        return client.post(ApiPath.of("/flows"), body);
    }

    /**
     * What a deployment would change.
     *
     * @param json the answer of the server
     * @param files the files that would be deployed with the definition, by their paths
     */
    record Plan(JsonNode json, JsonNode files) {}

    /**
     * Asks what a deployment would change. Fails as the deployment would fail.
     *
     * @param path path of the flow; empty means the name in the definition
     * @param notices receives a line for each module that its scripts miss
     */
    Plan plan(MillraceClient client, String path, Consumer<String> notices) {
        ObjectNode body = validBody(client, notices);
        if (!path.isEmpty()) {
            body.put("path", path);
        }
        return new Plan(client.post(ApiPath.of("/flows:plan"), body), body.path("files"));
    }

    private ObjectNode validBody(MillraceClient client, Consumer<String> notices) {
        Validation validation = validate(client);
        if (!validation.problems().isEmpty()) {
            throw new CommandFailure(ExitCode.INVALID, describe(validation.problems()));
        }
        ObjectNode body = body(scripts(validation.json()));
        importWarnings(validation.json()).forEach(notices);
        return body;
    }

    /**
     * Asks the server which scripts the definition names, and then validates it together with those that lie beside it.
     */
    Validation validate(MillraceClient client) {
        JsonNode bare = client.post(ApiPath.of("/flows:validate"), body(Map.of()));
        Map<String, String> scripts = scripts(bare);
        JsonNode whole = scripts.isEmpty() ? bare : client.post(ApiPath.of("/flows:validate"), body(scripts));
        return new Validation(whole, problems(whole, "problems"));
    }

    private static List<FlowProblem> problems(JsonNode answer, String key) {
        return answer.path(key).valueStream().map(FlowProblem::of).toList();
    }

    /** Asks the server to translate the definition into the dialect {@code millrace}. */
    Conversion convert(MillraceClient client) {
        Validation validation = validate(client);
        Map<String, String> beside = scripts(validation.json());
        JsonNode converted = client.post(ApiPath.shared("/flows:convert"), body(beside));
        Map<String, String> embedded = new LinkedHashMap<>();
        converted
                .path("scripts")
                .propertyStream()
                .forEach(script ->
                        embedded.put(script.getKey(), script.getValue().asText()));
        return new Conversion(converted, embedded, beside);
    }

    /** The problems, one line each, which begins with the file's name. */
    String describe(List<FlowProblem> problems) {
        return problems.stream()
                .map(problem -> problem.describe(file.toString()))
                .collect(Collectors.joining("\n"));
    }

    /** The warnings in the server's answer, one line each in the form of {@link #describe}. */
    public List<String> warnings(JsonNode answer) {
        return problems(answer, "warnings").stream()
                .map(warning -> "warning: " + warning.describe(file.toString()))
                .toList();
    }

    /** What the imports of its scripts miss, one line each. */
    private List<String> importWarnings(JsonNode validation) {
        Path folder = file.toAbsolutePath().resolveSibling("");
        LocalFiles beside = new LocalFiles(folder, "", folder);
        return validation
                .path("script_paths")
                .valueStream()
                .map(JsonNode::asText)
                .filter(path -> Files.isRegularFile(folder.resolve(path)))
                .flatMap(path -> {
                    String content = TextFile.read(folder.resolve(path));
                    return new ScriptFile(path, Optional.empty(), content, beside.of(path, content))
                            .warnings().stream();
                })
                .distinct()
                .toList();
    }

    /** Warnings that the server did not have when it deployed the flow: by then, the signatures of new scripts were not read. */
    List<String> laterWarnings(MillraceClient client, JsonNode deployed) {
        List<String> earlier = warnings(deployed);
        return warnings(validate(client).json()).stream()
                .filter(warning -> !earlier.contains(warning))
                .toList();
    }

    /** The scripts that the definition names and the files that they import, as far as they lie in the flow's folder. */
    private Map<String, String> scripts(JsonNode validation) {
        Map<String, String> contents = new LinkedHashMap<>();
        Path folder = file.toAbsolutePath().resolveSibling("");
        for (JsonNode path : validation.path("script_paths")) {
            Path script = folder.resolve(path.asText());
            if (Files.isRegularFile(script)) {
                requireInside(folder, script, path.asText());
                contents.put(path.asText(), TextFile.read(script));
            }
        }
        LocalFiles beside = new LocalFiles(folder, "", folder);
        Map<String, String> files = new LinkedHashMap<>(contents);
        contents.forEach((path, content) -> beside.of(path, content).forEach(files::putIfAbsent));
        return files;
    }

    /**
     * Fails if the script lies outside the folder. Definitions come from anywhere, and must not make this machine send
     * unrelated files.
     */
    private static void requireInside(Path folder, Path script, String name) {
        if (!TextFile.isInside(folder, script)) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    "The flow names the script \"" + name + "\", which lies outside the flow's folder " + folder
                            + ", so it was not sent. Move or copy it into that folder and name it by its path there.");
        }
    }

    private ObjectNode body(Map<String, String> scripts) {
        ObjectNode body =
                Json.object().put("file_name", file.getFileName().toString()).put("definition", definition);
        dialect.ifPresent(name -> body.put("dialect", name));
        ObjectNode files = body.putObject("files");
        scripts.forEach(files::put);
        return body;
    }
}
