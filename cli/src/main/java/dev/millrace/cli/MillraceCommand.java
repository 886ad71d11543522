package dev.millrace.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** {@code millrace}: the root of all commands; {@link Commands} lists them. */
@Command(
        name = "millrace",
        description = "Runs flows of Python and TypeScript functions on a queue in Postgres.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VersionCommand.class,
        commandListHeading = "%nCommands:%n")
final class MillraceCommand {}
