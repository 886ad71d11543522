package dev.millrace.cli;

import dev.millrace.cli.definition.FlowsCommand;
import dev.millrace.cli.definition.ScriptsCommand;
import dev.millrace.cli.demo.DemoCommand;
import dev.millrace.cli.local.DevCommand;
import dev.millrace.cli.local.GatewayCommand;
import dev.millrace.cli.local.ServerCommand;
import dev.millrace.cli.local.WorkerCommand;
import dev.millrace.cli.run.RunCommand;
import dev.millrace.cli.run.RunsCommand;
import dev.millrace.cli.worker.WorkersCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** {@code millrace}: the root of all commands. */
@Command(
        name = "millrace",
        description = "Runs flows of Python and TypeScript functions on a queue in Postgres.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VersionCommand.class,
        commandListHeading = "%nCommands:%n",
        subcommands = {
            DemoCommand.class,
            DevCommand.class,
            RunCommand.class,
            RunsCommand.class,
            FlowsCommand.class,
            ScriptsCommand.class,
            WorkersCommand.class,
            ServerCommand.class,
            GatewayCommand.class,
            WorkerCommand.class,
            BenchCommand.class,
            VersionCommand.class,
        })
final class MillraceCommand {}
