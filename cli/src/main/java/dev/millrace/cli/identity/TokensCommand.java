package dev.millrace.cli.identity;

import picocli.CommandLine.Command;

/** {@code millrace tokens}: commands for tokens. */
@Command(
        name = "tokens",
        description = "List, create, exchange and revoke tokens of people, programs, workers and gateways.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TokensListCommand.class,
            TokensCreateCommand.class,
            TokensExchangeCommand.class,
            TokensRevokeCommand.class
        })
public final class TokensCommand {}
