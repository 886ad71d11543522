package dev.millrace.cli.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace workers list}: lists the connected workers and their free slots, or their processes for scripts. */
@Command(name = "list", description = "List connected workers with their slots.")
public final class WorkersListCommand extends ClientCommand {
    static final int WORKERS_MAX = 10_000;
    private static final double PERCENT = 100;

    @Option(
            names = "--processes",
            description = "List the processes in which the workers run scripts, as far as you may read the scripts.")
    private boolean processes;

    public WorkersListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        return processes ? listProcesses(client) : listWorkers(client);
    }

    private ExitCode listProcesses(MillraceClient client) {
        List<JsonNode> workers = client.list(ApiPath.shared("/workers").with("processes", "true"), WORKERS_MAX);
        List<JsonNode> withProcesses = workers.stream()
                .filter(worker -> !worker.path("processes").isEmpty())
                .toList();
        Instant now = Instant.now();
        Table table = WorkerProcesses.table();
        printList(
                wantsJson() ? workers : withProcesses,
                "No worker has a process for a script. Workers start one with the first job of a script.",
                table,
                worker -> WorkerProcesses.addTo(table, worker, now));
        long leftOff = WorkerProcesses.leftOff(workers);
        if (!wantsJson() && leftOff > 0) {
            print("and " + leftOff + " more, which the workers do not report one by one");
        }
        return ExitCode.OK;
    }

    private ExitCode listWorkers(MillraceClient client) {
        Table table = new Table("NAME", "SLOTS", "BUSY>", "USED 15S/5MIN/30MIN>", "RUNTIMES?", "CONNECTED?", "PAUSED");
        printList(
                client.list(ApiPath.shared("/workers"), WORKERS_MAX),
                "No worker is connected. Start one with: " + Launcher.NAME + " worker",
                table,
                worker -> table.row(
                        worker.path("name").asText(),
                        slots(worker),
                        String.valueOf(worker.path("leased_jobs").asInt()),
                        occupancy(worker.path("occupancy")),
                        runtimes(worker),
                        Times.text(worker.path("connect_time").asText()),
                        pauses(worker)));
        return ExitCode.OK;
    }

    private static String slots(JsonNode worker) {
        return worker.path("slot_groups")
                .valueStream()
                .map(group ->
                        group.path("name").asText() + "=" + group.path("slots").asInt())
                .collect(Collectors.joining(" "));
    }

    private static String occupancy(JsonNode occupancy) {
        return occupancy.isMissingNode()
                ? ""
                : Stream.of("last_15s", "last_5min", "last_30min")
                                .map(window -> String.valueOf(
                                        Math.round(occupancy.path(window).asDouble() * PERCENT)))
                                .collect(Collectors.joining("/"))
                        + " %";
    }

    private static String pauses(JsonNode worker) {
        JsonNode drain = worker.path("drain");
        if (!drain.isMissingNode()) {
            String reason = drain.path("reason").asText();
            return "drained by " + drain.path("actor").asText() + (reason.isEmpty() ? "" : ": " + reason);
        }
        return worker.path("slot_groups")
                .valueStream()
                .filter(group -> !group.path("pause_reason").asText().isEmpty())
                .map(group -> group.path("name").asText() + ": "
                        + group.path("pause_reason").asText())
                .collect(Collectors.joining(" "));
    }

    private static String runtimes(JsonNode worker) {
        return worker.path("runtimes")
                .propertyStream()
                .map(runtime -> runtime.getKey() + " " + runtime.getValue().asText())
                .collect(Collectors.joining(", "));
    }
}
