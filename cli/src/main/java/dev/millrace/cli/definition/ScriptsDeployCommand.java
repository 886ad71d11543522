package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace scripts deploy}: stores a version of a script and makes it current. */
@Command(name = "deploy", description = "Store a script as the current version of its path.")
public final class ScriptsDeployCommand extends ClientCommand {
    @Parameters(paramLabel = "FILE", description = "Script (.py, .ts, .js, .mts or .mjs).")
    private Path file = Path.of("");

    @Option(
            names = "--path",
            paramLabel = "PATH",
            defaultValue = "",
            description = "Path of the script (default: the file's path below the current folder).")
    private String path = "";

    public ScriptsDeployCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ScriptFile script = ScriptFile.read(file);
        JsonNode deployed = (path.isEmpty() ? script : script.withPath(path)).deploy(client);
        if (wantsJson()) {
            printJson(deployed);
        } else {
            String deployedPath = deployed.path("path").asText();
            print("Deployed script " + deployedPath + ". Run it with: ./millrace run " + deployedPath);
            warnOf(ImportsBeside.of(file, script.content()));
        }
        return ExitCode.OK;
    }

    private void warnOf(List<String> filesBeside) {
        if (!filesBeside.isEmpty()) {
            terminal()
                    .err()
                    .println("It imports " + String.join(", ", filesBeside)
                            + ", which lies beside it and was not stored: only the script itself is. The script will fail unless you copy what it"
                            + " needs from there into the script.");
        }
    }
}
