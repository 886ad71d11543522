package dev.millrace.cli.run;

import picocli.CommandLine.Command;

/** {@code millrace runs}: commands that show runs and operate on them. */
@Command(
        name = "runs",
        description = "List, show and watch runs, and change their course.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunsListCommand.class,
            RunsGetCommand.class,
            RunsIterationsCommand.class,
            RunsWatchCommand.class,
            RunsOpenCommand.class,
            RunsLogsCommand.class,
            RunsCancelCommand.class,
            RunsPauseCommand.class,
            RunsResumeCommand.class,
            RunsRetryCommand.class,
            RunsRestartCommand.class,
            RunsRerunCommand.class,
            RunsSkipCommand.class,
            RunsPinCommand.class,
            RunsUnpinCommand.class,
            RunsPinnedCommand.class,
            RunsWaitingCommand.class,
            RunsHistoryCommand.class,
            RunsOperationsCommand.class,
            RunsBulkCommand.class,
            RunsExplainCommand.class,
            RunsTraceCommand.class,
            RunsWaitsCommand.class,
            RunsSignalCommand.class,
            RunsApproveCommand.class,
            RunsDenyCommand.class,
            RunsCompleteCommand.class,
            RunsWaitLinksCommand.class,
            RunsRevokeWaitLinksCommand.class
        })
public final class RunsCommand {}
