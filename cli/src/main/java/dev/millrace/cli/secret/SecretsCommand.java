package dev.millrace.cli.secret;

import picocli.CommandLine.Command;

/** {@code millrace secrets}: commands for values that nobody can read back. */
@Command(
        name = "secrets",
        description = "List, set and delete secrets. Their values cannot be read back.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {SecretsListCommand.class, SecretsSetCommand.class, SecretsDeleteCommand.class})
public final class SecretsCommand {}
