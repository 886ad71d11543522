package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace service-accounts}: commands for the programs that call in a workspace. */
@Command(
        name = "service-accounts",
        description = "List, create, disable and enable service accounts, for programs that call in a workspace.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ServiceAccountsCommand.Listing.class,
            ServiceAccountsCommand.Creating.class,
            ServiceAccountsCommand.Disabling.class,
            ServiceAccountsCommand.Enabling.class,
            ServiceAccountsCommand.Updating.class
        })
public final class ServiceAccountsCommand {
    @Command(name = "list", description = "List the service accounts of the workspace.")
    static final class Listing extends ListingPrincipals {
        Listing(Terminal terminal) {
            super(terminal, PrincipalKind.SERVICE_ACCOUNT);
        }
    }

    @Command(name = "create", description = "Create a service account in the workspace.")
    static final class Creating extends CreatingPrincipal {
        Creating(Terminal terminal) {
            super(terminal, PrincipalKind.SERVICE_ACCOUNT);
        }
    }

    @Command(name = "disable", description = "Disable a service account: its tokens stop working.")
    static final class Disabling extends SwitchingPrincipal {
        Disabling(Terminal terminal) {
            super(terminal, PrincipalKind.SERVICE_ACCOUNT, true);
        }
    }

    @Command(name = "enable", description = "Enable a service account again.")
    static final class Enabling extends SwitchingPrincipal {
        Enabling(Terminal terminal) {
            super(terminal, PrincipalKind.SERVICE_ACCOUNT, false);
        }
    }

    @Command(name = "update", description = "Change what a service account may do.")
    static final class Updating extends ClientCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the service account.")
        private String name = "";

        @Option(
                names = "--may-act-as",
                paramLabel = "true|false",
                arity = "1",
                required = true,
                description = "Whether it may name others as the actors of operations and signals.")
        private boolean mayActAs;

        Updating(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            JsonNode changed = client.patch(
                    PrincipalKind.SERVICE_ACCOUNT.collection().name(name),
                    Json.object().put("may_act_as", mayActAs));
            printResult(
                    changed,
                    "The service account " + name + (mayActAs ? " may" : " may not") + " name others as actors.");
            return ExitCode.OK;
        }
    }
}
