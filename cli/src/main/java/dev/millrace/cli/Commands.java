package dev.millrace.cli;

import dev.millrace.cli.alert.AlertsCommand;
import dev.millrace.cli.audit.AuditCommand;
import dev.millrace.cli.blob.BlobsCommand;
import dev.millrace.cli.certificate.CertsCommand;
import dev.millrace.cli.context.ContextsCommand;
import dev.millrace.cli.definition.FlowsCommand;
import dev.millrace.cli.definition.ScriptsCommand;
import dev.millrace.cli.demo.DemoCommand;
import dev.millrace.cli.event.EventsCommand;
import dev.millrace.cli.eventhandler.EventHandlersCommand;
import dev.millrace.cli.flowtest.TestCommand;
import dev.millrace.cli.identity.OwnersCommand;
import dev.millrace.cli.identity.RolesCommand;
import dev.millrace.cli.identity.ServiceAccountsCommand;
import dev.millrace.cli.identity.TokensCommand;
import dev.millrace.cli.identity.TrustsCommand;
import dev.millrace.cli.identity.UsersCommand;
import dev.millrace.cli.local.DevCommand;
import dev.millrace.cli.local.DoctorCommand;
import dev.millrace.cli.local.GatewayCommand;
import dev.millrace.cli.local.ServerCommand;
import dev.millrace.cli.local.WorkerCommand;
import dev.millrace.cli.login.LoginCommand;
import dev.millrace.cli.login.LogoutCommand;
import dev.millrace.cli.login.WhoamiCommand;
import dev.millrace.cli.queue.QueuesCommand;
import dev.millrace.cli.run.RunCommand;
import dev.millrace.cli.run.RunsCommand;
import dev.millrace.cli.schedule.SchedulesCommand;
import dev.millrace.cli.secret.KeysCommand;
import dev.millrace.cli.secret.ResourcesCommand;
import dev.millrace.cli.secret.SecretsCommand;
import dev.millrace.cli.trigger.TriggersCommand;
import dev.millrace.cli.worker.WorkersCommand;
import dev.millrace.cli.workspace.QuotasCommand;
import dev.millrace.cli.workspace.WorkspacesCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;

/**
 * Commands below {@link MillraceCommand}. Only the called command is loaded: loading all of them takes a quarter of the
 * time of a short command.
 */
final class Commands {
    private static final String COMPLETION = "completion";
    static final Map<String, Class<?>> BY_NAME = byName();

    private Commands() {}

    /** Adds the command that the arguments begin with, or all commands if they begin with none. */
    static void add(CommandLine root, String... arguments) {
        Class<?> called = arguments.length == 0 ? null : BY_NAME.get(arguments[0]);
        if (called != null) {
            root.addSubcommand(called);
            return;
        }
        BY_NAME.values().forEach(root::addSubcommand);
        root.addSubcommand(COMPLETION, completion());
    }

    private static CommandLine completion() {
        CommandLine command = new CommandLine(new GenerateCompletion());
        command.getCommandSpec()
                .usageMessage()
                .description("Print a completion script for bash and zsh: source <(./millrace completion)");
        return command;
    }

    private static Map<String, Class<?>> byName() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put("demo", DemoCommand.class);
        commands.put("dev", DevCommand.class);
        commands.put("run", RunCommand.class);
        commands.put("runs", RunsCommand.class);
        commands.put("flows", FlowsCommand.class);
        commands.put("scripts", ScriptsCommand.class);
        commands.put("blobs", BlobsCommand.class);
        commands.put("test", TestCommand.class);
        commands.put("workers", WorkersCommand.class);
        commands.put("queues", QueuesCommand.class);
        commands.put("server", ServerCommand.class);
        commands.put("gateway", GatewayCommand.class);
        commands.put("worker", WorkerCommand.class);
        commands.put("doctor", DoctorCommand.class);
        commands.put("certs", CertsCommand.class);
        commands.put("bench", BenchCommand.class);
        commands.put("login", LoginCommand.class);
        commands.put("logout", LogoutCommand.class);
        commands.put("whoami", WhoamiCommand.class);
        commands.put("contexts", ContextsCommand.class);
        commands.put("tokens", TokensCommand.class);
        commands.put("users", UsersCommand.class);
        commands.put("service-accounts", ServiceAccountsCommand.class);
        commands.put("trusts", TrustsCommand.class);
        commands.put("roles", RolesCommand.class);
        commands.put("owners", OwnersCommand.class);
        commands.put("workspaces", WorkspacesCommand.class);
        commands.put("secrets", SecretsCommand.class);
        commands.put("resources", ResourcesCommand.class);
        commands.put("schedules", SchedulesCommand.class);
        commands.put("triggers", TriggersCommand.class);
        commands.put("keys", KeysCommand.class);
        commands.put("audit", AuditCommand.class);
        commands.put("events", EventsCommand.class);
        commands.put("event-handlers", EventHandlersCommand.class);
        commands.put("alerts", AlertsCommand.class);
        commands.put("quotas", QuotasCommand.class);
        commands.put("version", VersionCommand.class);
        return commands;
    }
}
