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
import dev.millrace.cli.output.Launcher;
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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;

/**
 * Commands below {@link MillraceCommand}. Only the called command is loaded: loading all of them takes a quarter of the
 * time of a short command.
 */
final class Commands {
    private static final String COMPLETION = "completion";
    private static final String LAST_HEADING = "This command line";
    private static final List<Group> GROUPS = groups();
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

    /** Names of the commands by the headings of the help. */
    static Map<String, List<String>> byHeading() {
        Map<String, List<String>> headings = new LinkedHashMap<>();
        GROUPS.forEach(group -> headings.put(group.heading, List.copyOf(group.commands.keySet())));
        headings.computeIfPresent(
                LAST_HEADING,
                (_, names) ->
                        Stream.concat(names.stream(), Stream.of(COMPLETION)).toList());
        return headings;
    }

    private static CommandLine completion() {
        CommandLine command = new CommandLine(new GenerateCompletion());
        command.getCommandSpec()
                .usageMessage()
                .description("Print a completion script for bash and zsh: source <(" + Launcher.NAME + " completion)");
        return command;
    }

    /** Commands that one heading of the help stands for. */
    private record Group(String heading, Map<String, Class<?>> commands) {
        Group(String heading) {
            this(heading, new LinkedHashMap<>());
        }

        Group with(String name, Class<?> command) {
            commands.put(name, command);
            return this;
        }
    }

    private static Map<String, Class<?>> byName() {
        Map<String, Class<?>> all = new LinkedHashMap<>();
        GROUPS.forEach(group -> all.putAll(group.commands));
        return all;
    }

    private static List<Group> groups() {
        return List.of(
                new Group("Start and develop")
                        .with("demo", DemoCommand.class)
                        .with("dev", DevCommand.class)
                        .with("test", TestCommand.class),
                new Group("Run")
                        .with("run", RunCommand.class)
                        .with("runs", RunsCommand.class)
                        .with("blobs", BlobsCommand.class),
                new Group("Deploy")
                        .with("flows", FlowsCommand.class)
                        .with("scripts", ScriptsCommand.class)
                        .with("secrets", SecretsCommand.class)
                        .with("resources", ResourcesCommand.class)
                        .with("schedules", SchedulesCommand.class)
                        .with("triggers", TriggersCommand.class)
                        .with("event-handlers", EventHandlersCommand.class),
                new Group("Operate")
                        .with("queues", QueuesCommand.class)
                        .with("workers", WorkersCommand.class)
                        .with("alerts", AlertsCommand.class)
                        .with("events", EventsCommand.class)
                        .with("audit", AuditCommand.class)
                        .with("quotas", QuotasCommand.class)
                        .with("doctor", DoctorCommand.class)
                        .with("bench", BenchCommand.class),
                new Group("Services")
                        .with("server", ServerCommand.class)
                        .with("gateway", GatewayCommand.class)
                        .with("worker", WorkerCommand.class)
                        .with("certs", CertsCommand.class),
                new Group("Access")
                        .with("login", LoginCommand.class)
                        .with("logout", LogoutCommand.class)
                        .with("whoami", WhoamiCommand.class)
                        .with("contexts", ContextsCommand.class)
                        .with("workspaces", WorkspacesCommand.class)
                        .with("users", UsersCommand.class)
                        .with("service-accounts", ServiceAccountsCommand.class)
                        .with("roles", RolesCommand.class)
                        .with("owners", OwnersCommand.class)
                        .with("tokens", TokensCommand.class)
                        .with("trusts", TrustsCommand.class)
                        .with("keys", KeysCommand.class),
                new Group(LAST_HEADING).with("version", VersionCommand.class));
    }
}
