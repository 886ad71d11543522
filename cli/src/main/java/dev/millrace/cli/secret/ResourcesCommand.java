package dev.millrace.cli.secret;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace resources}: commands for JSON values that steps may use. */
@Command(
        name = "resources",
        description = "List, show, set and delete resources, such as addresses of databases, and their types.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ResourcesListCommand.class,
            ResourcesGetCommand.class,
            ResourcesSetCommand.class,
            ResourcesCommand.Deleting.class,
            ResourcesTypesCommand.class,
            ResourcesSetTypeCommand.class,
            ResourcesDeleteTypeCommand.class
        })
public final class ResourcesCommand {
    @Command(name = "delete", description = "Delete a resource. Refused while flows refer to it.")
    static final class Deleting extends DeletingValue {
        Deleting(Terminal terminal) {
            super(terminal, "resource");
        }
    }
}
