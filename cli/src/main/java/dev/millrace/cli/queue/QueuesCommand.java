package dev.millrace.cli.queue;

import picocli.CommandLine.Command;

/** {@code millrace queues}: commands for the queues of tags. */
@Command(
        name = "queues",
        description = "See what waits for workers and why; pause and resume tags.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            QueuesListCommand.class,
            QueuesGetCommand.class,
            QueuesPauseCommand.class,
            QueuesResumeCommand.class,
            QueuesLimitsCommand.class,
            QueuesActivityCommand.class
        })
public final class QueuesCommand {}
