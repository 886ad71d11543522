package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Parameters;

/** Base of commands that disable or enable a user or a service account. */
abstract class SwitchingPrincipal extends ClientCommand {
    private final PrincipalKind kind;
    private final boolean isDisabled;

    @Parameters(paramLabel = "NAME", description = "Name of the principal.")
    private String name = "";

    SwitchingPrincipal(Terminal terminal, PrincipalKind kind, boolean isDisabled) {
        super(terminal);
        this.kind = kind;
        this.isDisabled = isDisabled;
    }

    @Override
    protected final ExitCode execute(MillraceClient client) {
        JsonNode changed =
                client.patch(kind.collection().name(name), Json.object().put("disabled", isDisabled));
        printResult(
                changed,
                isDisabled
                        ? "Disabled the " + kind.phrase() + " " + name + ": none of its tokens works within seconds."
                        : "Enabled the " + kind.phrase() + " " + name + ": its tokens work again.");
        return ExitCode.OK;
    }
}
