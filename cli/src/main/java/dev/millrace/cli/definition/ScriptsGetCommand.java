package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace scripts get}: prints the source of one script, or the files that belong to it. */
@Command(name = "get", description = "Print the source of a deployed script.")
public final class ScriptsGetCommand extends ClientCommand {
    @Parameters(paramLabel = "PATH", description = "Path of the script.")
    private String path = "";

    @Option(names = "--files", description = "List the paths of the script and of the files that belong to it.")
    private boolean isListing;

    @Option(names = "--to", paramLabel = "FOLDER", description = "Write the script and its files there.")
    private @Nullable Path folder;

    @Option(
            names = "--hash",
            paramLabel = "HASH",
            description = "Show this version, which a run names as its target (default: the current one).")
    private @Nullable String hash;

    public ScriptsGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode script = client.get(ApiPath.of("/scripts").child(path).withIfGiven("hash", hash));
        Map<String, String> files = files(script);
        if (folder != null) {
            Path target = folder;
            NewFiles.write(target, files);
            files.keySet().forEach(file -> print(target.resolve(file).toString()));
        } else if (wantsJson()) {
            printJson(script);
        } else if (isListing) {
            files.keySet().forEach(this::print);
        } else {
            print(script.path("content").asText().stripTrailing());
            if (files.size() > 1) {
                terminal()
                        .err()
                        .println("Further files belong to it: list them with --files, or write them with --to FOLDER.");
            }
        }
        return ExitCode.OK;
    }

    private static Map<String, String> files(JsonNode script) {
        Map<String, String> files = new TreeMap<>();
        files.put(script.path("path").asText(), script.path("content").asText());
        script.path("files")
                .valueStream()
                .forEach(file -> files.put(
                        file.path("path").asText(), file.path("content").asText()));
        return files;
    }
}
