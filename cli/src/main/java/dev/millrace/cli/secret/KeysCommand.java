package dev.millrace.cli.secret;

import picocli.CommandLine.Command;

/** {@code millrace keys}: commands for the keys that encrypt secrets. */
@Command(
        name = "keys",
        description = "List and rotate the keys that encrypt secrets.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {KeysListCommand.class, KeysRotateCommand.class})
public final class KeysCommand {}
