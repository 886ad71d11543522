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
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace trusts}: commands for which jobs of CI systems may act as a service account, without a token. */
@Command(
        name = "trusts",
        description = "List, create and delete trusts, by which jobs of CI systems get tokens of service accounts.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TrustsCommand.Listing.class, TrustsCommand.Creating.class, TrustsCommand.Deleting.class})
public final class TrustsCommand {
    private static final ApiPath TRUSTS = ApiPath.of("/trusts");
    private static final int TRUSTS_MAX = 10_000;

    @Command(name = "list", description = "List the trusts of the workspace.")
    static final class Listing extends ClientCommand {
        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            Table table = new Table("NAME!", "SERVICE ACCOUNT", "ISSUER", "AUDIENCE?", "CLAIMS");
            printList(
                    client.list(TRUSTS, TRUSTS_MAX),
                    "No service account of the workspace trusts a CI system.",
                    table,
                    trust -> table.row(
                            Json.text(trust, "name"),
                            Json.text(trust, "service_account"),
                            Json.text(trust, "issuer"),
                            Json.text(trust, "audience"),
                            claims(trust)));
            return ExitCode.OK;
        }

        private static String claims(JsonNode trust) {
            return trust.path("claims")
                    .propertyStream()
                    .map(claim -> claim.getKey() + "=" + claim.getValue().asText())
                    .collect(Collectors.joining(" "));
        }
    }

    @Command(
            name = "create",
            description = "Let JWTs with certain claims be exchanged for tokens of a service account.")
    static final class Creating extends ClientCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the trust.")
        private String name = "";

        @Option(
                names = "--service-account",
                required = true,
                paramLabel = "NAME",
                description = "Service account of the workspace.")
        private String serviceAccount = "";

        @Option(
                names = "--issuer",
                required = true,
                paramLabel = "URL",
                description = "Issuer of the JWTs, which the owner of the installation has allowed.")
        private String issuer = "";

        @Option(names = "--audience", required = true, paramLabel = "TEXT", description = "Audience of the JWTs.")
        private String audience = "";

        @Option(
                names = "--claim",
                required = true,
                paramLabel = "NAME=VALUE",
                description = "Claim that the JWTs must have; repeat it for several.")
        private Map<String, String> claims = new TreeMap<>();

        Creating(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            ObjectNode body = Json.object()
                    .put("name", name)
                    .put("service_account", serviceAccount)
                    .put("issuer", issuer)
                    .put("audience", audience);
            ObjectNode wanted = body.putObject("claims");
            claims.forEach(wanted::put);
            printResult(
                    client.post(TRUSTS, body),
                    "The service account " + serviceAccount + " trusts JWTs of " + issuer + " with these claims.");
            return ExitCode.OK;
        }
    }

    @Command(name = "delete", description = "End a trust. Tokens that were exchanged by it work until they expire.")
    static final class Deleting extends ClientCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the trust.")
        private String name = "";

        Deleting(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printResult(client.delete(TRUSTS.name(name)), "Deleted the trust " + name + ".");
            return ExitCode.OK;
        }
    }
}
