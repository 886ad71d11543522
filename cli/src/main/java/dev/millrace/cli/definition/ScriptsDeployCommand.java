package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.RunError;
import dev.millrace.cli.client.RunFollower;
import dev.millrace.cli.client.State;
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

    @Option(
            names = "--wait",
            description = "Wait until the packages of the script are chosen and installed, and show the progress.")
    private boolean waits;

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
        String packageRun = deployed.path("package_run_id").asText();
        if (packageRun.isEmpty()) {
            return ExitCode.OK;
        }
        if (waits) {
            return awaitPackages(client, packageRun);
        }
        terminal().err().println("Its packages are being chosen: ./millrace runs watch " + packageRun);
        return ExitCode.OK;
    }

    private ExitCode awaitPackages(MillraceClient client, String packageRun) {
        Run run = new RunFollower(client, packageRun, true).follow((name, event) -> {
            if (name.equals("log")) {
                terminal().err().println(event.path("text").asText().stripTrailing());
            }
        });
        if (run.state() == State.SUCCEEDED) {
            return ExitCode.OK;
        }
        throw new CommandFailure(
                ExitCode.RUN_FAILED,
                run.error()
                        .map(RunError::message)
                        .orElse("The run " + packageRun + ", which chooses the packages of the script, was canceled:"
                                + " no worker may have taken it. The first job of the script chooses them."));
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
