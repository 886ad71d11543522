package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace roles}: commands for who may do what in a workspace. */
@Command(
        name = "roles",
        description = "List, grant and revoke roles in a workspace.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RolesCommand.Listing.class, RolesCommand.Granting.class, RolesCommand.Revoking.class})
public final class RolesCommand {
    private static final ApiPath ROLES = ApiPath.of("/roles");
    private static final int ROLES_MAX = 100_000;
    private static final String SUBJECT = "user:NAME, group:NAME or service-account:NAME.";
    private static final String FOLDER =
            "Only in this folder, the first part of a path (default: the whole workspace).";

    @Command(name = "list", description = "List the roles of the workspace.")
    static final class Listing extends ClientCommand {
        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            Table table = new Table("SUBJECT!", "ROLE", "FOLDER");
            printList(
                    client.list(ROLES, ROLES_MAX),
                    "Nobody has a role in this workspace but the owners of the installation.",
                    table,
                    role -> table.row(
                            Json.text(role, "subject"),
                            Json.text(role, "role"),
                            role.has("folder") ? Json.text(role, "folder") : "(all)"));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "grant",
            description = "Give a role. It replaces the role that the subject has in the same workspace or folder.")
    static final class Granting extends ClientCommand {
        @Parameters(index = "0", paramLabel = "SUBJECT", description = SUBJECT)
        private String subject = "";

        @Parameters(index = "1", paramLabel = "ROLE", description = "viewer, runner, developer or admin.")
        private String role = "";

        @Option(names = "--folder", paramLabel = "NAME", description = FOLDER)
        private String folder = "";

        Granting(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            ObjectNode body = Json.object().put("subject", subject).put("role", role);
            if (!folder.isEmpty()) {
                body.put("folder", folder);
            }
            JsonNode granted = client.post(ROLES, body);
            printResult(granted, subject + " is " + role + place(client, folder) + ".");
            return ExitCode.OK;
        }
    }

    @Command(name = "revoke", description = "Take a role away.")
    static final class Revoking extends ClientCommand {
        @Parameters(paramLabel = "SUBJECT", description = SUBJECT)
        private String subject = "";

        @Option(names = "--folder", paramLabel = "NAME", description = FOLDER)
        private String folder = "";

        Revoking(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            ApiPath role = ROLES.with("subject", subject);
            JsonNode revoked = client.delete(folder.isEmpty() ? role : role.with("folder", folder));
            printResult(
                    revoked, subject + " is not " + Json.text(revoked, "role") + place(client, folder) + " any more.");
            return ExitCode.OK;
        }
    }

    private static String place(MillraceClient client, String folder) {
        return (folder.isEmpty() ? "" : " in the folder " + folder) + " of workspace " + client.workspace();
    }
}
