package dev.millrace.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code millrace server status}: what the database keeps, for how long, and how the last sweeps went. */
@Command(name = "status", description = "Show what is kept, for how long, and how much of it there is.")
public final class ServerStatusCommand extends ClientCommand {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB"};
    private static final int UNIT = 1024;

    public ServerStatusCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode status = client.get(ApiPath.shared("/server/status"));
        if (wantsJson()) {
            printJson(status);
            return ExitCode.OK;
        }
        Table table = new Table("KEPT", "FOR>!", "ROWS>!", "SIZE>!", "OLDEST?", "SWEPT?", "REMOVED>?");
        status.path("retention")
                .forEach(kept -> table.row(
                        Json.text(kept, "holds"),
                        age(Duration.parse("PT" + Json.text(kept, "age"))),
                        String.format(
                                Locale.ROOT, "~%,d", kept.path("rows_estimate").asLong()),
                        size(kept.path("bytes").asLong()),
                        Times.text(Json.text(kept, "oldest_time")),
                        Times.text(Json.text(kept, "sweep_time")),
                        String.format(
                                Locale.ROOT, "%,d", kept.path("removed_rows").asLong())));
        table.lines(terminal().paint(), terminal().lineLengthMax()).forEach(this::print);
        status.path("retention").forEach(this::printFailure);
        return ExitCode.OK;
    }

    private void printFailure(JsonNode kept) {
        if (!Json.text(kept, "error").isEmpty()) {
            print(terminal()
                    .paint()
                    .red("The sweep of " + Json.text(kept, "table") + " failed at "
                            + Times.text(Json.text(kept, "failure_time")) + " and will be tried again: "
                            + Json.text(kept, "error")));
        }
    }

    /** Empty where each row has a time of its own. */
    private static String age(Duration age) {
        if (age.isZero()) {
            return "";
        }
        if (age.equals(Duration.ofDays(age.toDays()))) {
            return age.toDays() + " d";
        }
        return age.equals(Duration.ofHours(age.toHours())) ? age.toHours() + " h" : Durations.text(age);
    }

    private static String size(long bytes) {
        double size = bytes;
        int unit = -1;
        do {
            size /= UNIT;
            unit++;
        } while (size >= UNIT && unit < UNITS.length - 1);
        return String.format(Locale.ROOT, "%.1f %s", size, UNITS[unit]);
    }
}
