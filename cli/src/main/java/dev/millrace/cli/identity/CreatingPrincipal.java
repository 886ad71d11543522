package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Parameters;

/** Base of commands that create a user or a service account. */
abstract class CreatingPrincipal extends ClientCommand {
    private final PrincipalKind kind;

    @Parameters(paramLabel = "NAME", description = "1 to 100 letters, digits and '.', '_', '@', '-'.")
    private String name = "";

    CreatingPrincipal(Terminal terminal, PrincipalKind kind) {
        super(terminal);
        this.kind = kind;
    }

    @Override
    protected final ExitCode execute(MillraceClient client) {
        JsonNode created = client.post(kind.collection(), Json.object().put("name", name));
        String option = kind.phrase().replace(' ', '-');
        printResult(
                created,
                "Created the " + kind.phrase() + " " + name + ", without a role and a token."
                        + "\nGive it a role: " + Launcher.NAME + " roles grant " + option + ":" + name + " runner"
                        + "\nIssue a token:  " + Launcher.NAME + " tokens create --" + option + " " + name
                        + " --name PURPOSE");
        return ExitCode.OK;
    }
}
