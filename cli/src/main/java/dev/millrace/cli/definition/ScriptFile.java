package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Script in a file, with its path on the server.
 *
 * @param language language that the file's ending stands for, since the path may end differently; empty if the ending
 *     stands for none
 */
public record ScriptFile(String path, Optional<String> language, String content) {
    private static final String ENDINGS = ".*\\.(py|ts|mts|js|mjs)";

    public static boolean isScript(String fileName) {
        return fileName.matches(ENDINGS);
    }

    public static ScriptFile read(Path file) {
        return new ScriptFile(serverPath(file), language(file.toString()), TextFile.read(file));
    }

    /** Stores the script on the server without deploying it, and returns its hash. */
    public String store(MillraceClient client) {
        return client.post(ApiPath.of("/scripts"), body().put("store_only", true))
                .path("hash")
                .asText();
    }

    /** Makes it the current version of its path. */
    public JsonNode deploy(MillraceClient client) {
        return client.post(ApiPath.of("/scripts"), body());
    }

    private ObjectNode body() {
        ObjectNode body = Json.object().put("path", path).put("content", content);
        language.ifPresent(word -> body.put("language", word));
        return body;
    }

    ScriptFile withPath(String newPath) {
        return new ScriptFile(newPath, language, content);
    }

    private static Optional<String> language(String fileName) {
        return isScript(fileName) ? Optional.of(fileName.endsWith(".py") ? "python" : "deno") : Optional.empty();
    }

    /** The file's path relative to the current folder, or its bare name if it lies elsewhere. */
    private static String serverPath(Path file) {
        Path here = Path.of("").toAbsolutePath();
        Path absolute = file.toAbsolutePath().normalize();
        Path path = absolute.startsWith(here) ? here.relativize(absolute) : absolute.getFileName();
        return path.toString().replace('\\', '/');
    }
}
