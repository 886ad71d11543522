package dev.millrace.cli.secret;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace resources delete-type}: deletes a type of resources. */
@Command(name = "delete-type", description = "Delete a type. Refused while resources have it.")
public final class ResourcesDeleteTypeCommand extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the type.")
    private String name = "";

    public ResourcesDeleteTypeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(client.delete(ResourcesTypesCommand.TYPES.name(name)), "Deleted the type " + name + ".");
        return ExitCode.OK;
    }
}
