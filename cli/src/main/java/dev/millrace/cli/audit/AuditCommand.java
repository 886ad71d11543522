package dev.millrace.cli.audit;

import picocli.CommandLine.Command;

/** {@code millrace audit}: commands for the record of changes and refusals. */
@Command(
        name = "audit",
        description = "Look into the record of who changed what and who was refused, and export it.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {AuditListCommand.class, AuditExportCommand.class})
public final class AuditCommand {}
