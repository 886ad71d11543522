package dev.millrace.cli.run;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace runs list}: the newest runs. */
@Command(name = "list", description = "List runs, newest first.")
public final class RunsListCommand extends ClientCommand {
    private static final int LIMIT_DEFAULT = 20;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only runs in this state: queued, running, succeeded, failed or canceled.")
    private @Nullable String state;

    @Option(names = "--limit", paramLabel = "N", description = "Most runs to list (default: ${DEFAULT-VALUE}).")
    private int limit = LIMIT_DEFAULT;

    public RunsListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ApiPath path = state == null ? ApiPath.of("/runs") : ApiPath.of("/runs").with("state", state);
        Table table = new Table("ID", "NAME", "STATE", "CREATED", "TOOK>");
        printList(
                client.list(path, Math.max(1, limit)),
                "There are no runs yet. Start one with: ./millrace run FILE",
                table,
                json -> {
                    Run run = Run.of(json);
                    table.row(
                            run.id(),
                            run.name(),
                            run.state().word(),
                            run.createTime().map(Times::text).orElse(""),
                            run.duration().map(Durations::text).orElse(""));
                });
        return ExitCode.OK;
    }
}
