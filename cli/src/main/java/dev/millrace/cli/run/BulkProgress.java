package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.time.Duration;
import java.util.List;

/** Follows an operation on many runs and reports its result. */
final class BulkProgress {
    private static final ApiPath BULKS = ApiPath.of("/bulk-operations");
    private static final Duration INTERVAL_MIN = Duration.ofMillis(100);
    private static final Duration INTERVAL_MAX = Duration.ofSeconds(2);
    private static final int FAILURES_SHOWN_MAX = 100;
    private static final String LINE_START = "\r";

    private final MillraceClient client;
    private final Terminal terminal;

    BulkProgress(MillraceClient client, Terminal terminal) {
        this.client = client;
        this.terminal = terminal;
    }

    static ApiPath path(String id) {
        return BULKS.child(id);
    }

    /** Waits for the end of the operation and returns it. On a terminal, shows its progress meanwhile. */
    JsonNode await(JsonNode started) {
        JsonNode bulk = started;
        Duration interval = INTERVAL_MIN;
        show(bulk);
        while (!bulk.has("end_time")) {
            pause(interval);
            bulk = client.get(path(Json.text(bulk, "id")));
            show(bulk);
            Duration longer = interval.multipliedBy(2);
            interval = longer.compareTo(INTERVAL_MAX) < 0 ? longer : INTERVAL_MAX;
        }
        if (terminal.isInteractive()) {
            terminal.err().println();
        }
        return bulk;
    }

    /** The runs that rejected the operation, up to {@value #FAILURES_SHOWN_MAX}. */
    List<JsonNode> failures(JsonNode bulk) {
        return bulk.path("failed").asInt() == 0
                ? List.of()
                : client.list(path(Json.text(bulk, "id")).then("/runs").with("state", "failed"), FAILURES_SHOWN_MAX);
    }

    /** The operation with the runs that rejected it, for programs. */
    static ObjectNode json(JsonNode bulk, List<JsonNode> failures) {
        ObjectNode json = bulk.deepCopy();
        json.putArray("failures").addAll(failures);
        return json;
    }

    /** Progress in one line. */
    static String line(JsonNode bulk) {
        int left = bulk.path("left_out").asInt();
        return Json.text(bulk, "operation") + ": " + bulk.path("done").asInt() + " of "
                + bulk.path("total").asInt() + " runs done, "
                + bulk.path("failed").asInt() + " failed"
                + (left == 0 ? "" : ", " + left + " left out") + " (" + Json.text(bulk, "state") + ")";
    }

    static List<String> lines(List<JsonNode> failures, Terminal terminal) {
        if (failures.isEmpty()) {
            return List.of();
        }
        Table table = new Table("RUN<", "WHY NOT!");
        failures.forEach(
                failure -> table.row(Json.text(failure, "run_id"), Json.text(failure.path("error"), "message")));
        return table.lines(terminal.paint(), terminal.lineLengthMax());
    }

    /** Exit code of the command: {@link ExitCode#REFUSED} if a run rejected the operation. */
    static ExitCode exitCode(JsonNode bulk) {
        return bulk.path("failed").asInt() == 0 ? ExitCode.OK : ExitCode.REFUSED;
    }

    private void show(JsonNode bulk) {
        if (terminal.isInteractive()) {
            terminal.err().control(LINE_START);
            terminal.err().print(line(bulk));
            terminal.err().flush();
        }
    }

    private static void pause(Duration interval) {
        try {
            Thread.sleep(interval);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(
                    ExitCode.INTERRUPTED, "The command was interrupted; the operation continues.", interrupted);
        }
    }
}
