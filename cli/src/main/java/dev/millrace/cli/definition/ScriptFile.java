package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.text.script.FilePaths;
import dev.millrace.text.script.MissingModule;
import dev.millrace.text.script.ScriptLanguages;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Script in a file, with its path on the server and the files that belong to it.
 *
 * @param language language that the file's ending and its head stand for, since the path may end differently; empty if the
 *     ending stands for none
 * @param files texts of the files that belong to it, by their paths on the server
 */
public record ScriptFile(String path, Optional<String> language, String content, Map<String, String> files) {
    public static boolean isScript(String fileName) {
        return ScriptLanguages.of(fileName).isPresent();
    }

    /** Reads a script whose path on the server is that of the file below the current folder. */
    public static ScriptFile read(Path file) {
        return read(file, serverPath(file));
    }

    /**
     * Reads a script and the files that it imports. They may lie below the current folder or, if the script lies
     * elsewhere, in its own folder.
     *
     * @param path on the server
     */
    static ScriptFile read(Path file, String path) {
        Path here = Path.of("").toAbsolutePath();
        Path folder = file.toAbsolutePath().normalize().resolveSibling("");
        String content = TextFile.read(file);
        LocalFiles beside = new LocalFiles(folder, FilePaths.folder(path), folder.startsWith(here) ? here : folder);
        return new ScriptFile(path, ScriptLanguages.of(file.toString(), content), content, beside.of(path, content));
    }

    /** The script in another language than its file's ending stands for. */
    ScriptFile inLanguage(String name) {
        return new ScriptFile(path, Optional.of(name), content, files);
    }

    /** Stores the script on the server without deploying it, and returns its hash. */
    public String store(MillraceClient client) {
        return client.post(ApiPath.of("/scripts"), body().put("store_only", true))
                .path("hash")
                .asText();
    }

    /**
     * Makes it the current version of its path.
     *
     * @param schema what its author says about its inputs; empty if that is nothing
     */
    public JsonNode deploy(MillraceClient client, Optional<JsonNode> schema, String message) {
        ObjectNode body = body();
        schema.ifPresent(given -> body.set("input_schema", given));
        if (!message.isEmpty()) {
            body.put("message", message);
        }
        return client.post(ApiPath.of("/scripts"), body);
    }

    /**
     * Asks what a deployment would change, and returns the answer. Fails as the deployment would fail.
     *
     * @param schema what its author says about its inputs; empty if that is nothing
     */
    JsonNode plan(MillraceClient client, Optional<JsonNode> schema) {
        ObjectNode body = body();
        schema.ifPresent(given -> body.set("input_schema", given));
        return client.post(ApiPath.of("/scripts:plan"), body);
    }

    /** What the imports of the script miss, one line each. */
    public List<String> warnings() {
        return MissingModule.of(path, content, files).stream()
                .map(missing -> "warning: " + missing.file() + ":" + missing.line() + ": " + missing.sentence())
                .toList();
    }

    private ObjectNode body() {
        ObjectNode body = Json.object().put("path", path).put("content", content);
        language.ifPresent(word -> body.put("language", word));
        if (!files.isEmpty()) {
            ObjectNode texts = body.putObject("files");
            files.forEach(texts::put);
        }
        return body;
    }

    /** The file's path relative to the current folder, or its bare name if it lies elsewhere. */
    private static String serverPath(Path file) {
        Path here = Path.of("").toAbsolutePath();
        Path absolute = file.toAbsolutePath().normalize();
        Path path = absolute.startsWith(here) ? here.relativize(absolute) : absolute.getFileName();
        return path.toString().replace('\\', '/');
    }
}
