package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A script in a file, with the path under which the server is to know it.
 *
 * @param language what the ending of the file stands for, as the path may end otherwise; empty where it stands for none
 */
public record ScriptFile(String path, Optional<String> language, String content) {
    private static final String ENDINGS = ".*\\.(py|ts|mts|js|mjs)";

    public static boolean isScript(String fileName) {
        return fileName.matches(ENDINGS);
    }

    public static ScriptFile read(Path file) {
        return new ScriptFile(serverPath(file), language(file.toString()), TextFile.read(file));
    }

    /** Stores the script on the server, which leaves its path with what is deployed there, and returns its hash. */
    public String store(MillraceClient client) {
        return client.post(ApiPath.of("/scripts"), body().put("store_only", true))
                .path("hash")
                .asText();
    }

    JsonNode deploy(MillraceClient client) {
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

    /** The file's path below the current folder; the bare name of a file that lies elsewhere. */
    private static String serverPath(Path file) {
        Path here = Path.of("").toAbsolutePath();
        Path absolute = file.toAbsolutePath().normalize();
        Path path = absolute.startsWith(here) ? here.relativize(absolute) : absolute.getFileName();
        return path.toString().replace('\\', '/');
    }
}
