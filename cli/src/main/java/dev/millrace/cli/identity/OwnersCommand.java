package dev.millrace.cli.identity;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace owners}: commands for the owners of an installation, who may do everything. */
@Command(
        name = "owners",
        description = "List, grant and revoke ownership of the installation.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {OwnersCommand.Listing.class, OwnersCommand.Granting.class, OwnersCommand.Revoking.class})
public final class OwnersCommand {
    private static final ApiPath OWNERS = ApiPath.shared("/owners");
    private static final int OWNERS_MAX = 10_000;
    private static final String SUBJECT = "user:NAME or group:NAME.";

    @Command(name = "list", description = "List the owners.")
    static final class Listing extends ClientCommand {
        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            Table table = new Table("SUBJECT!");
            printList(
                    client.list(OWNERS, OWNERS_MAX),
                    "The installation has no owner but whoever uses its machine.",
                    table,
                    owner -> table.row(Json.text(owner, "subject")));
            return ExitCode.OK;
        }
    }

    @Command(name = "grant", description = "Make a user or a group owner of the installation.")
    static final class Granting extends ClientCommand {
        @Parameters(paramLabel = "SUBJECT", description = SUBJECT)
        private String subject = "";

        Granting(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printResult(
                    client.post(OWNERS, Json.object().put("subject", subject)),
                    subject + " owns the installation and may do everything.");
            return ExitCode.OK;
        }
    }

    @Command(name = "revoke", description = "Take the ownership from a user or a group. The last owner stays.")
    static final class Revoking extends ClientCommand {
        @Parameters(paramLabel = "SUBJECT", description = SUBJECT)
        private String subject = "";

        Revoking(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printResult(client.delete(OWNERS.child(subject)), subject + " does not own the installation any more.");
            return ExitCode.OK;
        }
    }
}
