package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import java.nio.file.Path;

/** A script in a file, with the path under which the server is to know it. */
public record ScriptFile(String path, String content) {
    private static final String ENDINGS = ".*\\.(py|ts|mts|js|mjs)";

    public static boolean isScript(String fileName) {
        return fileName.matches(ENDINGS);
    }

    public static ScriptFile read(Path file) {
        return new ScriptFile(serverPath(file), TextFile.read(file));
    }

    /** Stores the script on the server and returns its hash. */
    public String deploy(MillraceClient client) {
        return post(client).path("hash").asText();
    }

    JsonNode post(MillraceClient client) {
        return client.post(
                ApiPath.of("/scripts"), Json.object().put("path", path).put("content", content));
    }

    ScriptFile withPath(String newPath) {
        return new ScriptFile(newPath, content);
    }

    /** The file's path below the current folder; the bare name of a file that lies elsewhere. */
    private static String serverPath(Path file) {
        Path here = Path.of("").toAbsolutePath();
        Path absolute = file.toAbsolutePath().normalize();
        Path path = absolute.startsWith(here) ? here.relativize(absolute) : absolute.getFileName();
        return path.toString().replace('\\', '/');
    }
}
