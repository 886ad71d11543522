package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that do something to many runs at once: which ones. */
final class RunSelection {
    @Option(names = "--all", description = "All runs that the operation suits.")
    private boolean all;

    @Option(names = "--flow", paramLabel = "PATH", description = "Runs of this flow.")
    private @Nullable String flow;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "Runs in these states: queued, running, succeeded, failed, canceled.")
    private List<String> states = new ArrayList<>();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Runs accepted then or later (" + MomentConverter.FORMS + ").")
    private @Nullable String since;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Runs accepted before (" + MomentConverter.FORMS + ").")
    private @Nullable String before;

    @Option(
            names = "--detach",
            description =
                    "Of many runs: do not wait until it has come to all. With one run, there is nothing to wait for.")
    private boolean detached;

    /** Whether more than one run is meant. */
    boolean isBulk(List<String> ids) {
        if (isFilter() && !ids.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "Name runs by id, or say which with --all, --flow, --state, --since and --before.");
        }
        if (!isFilter() && ids.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "Name a run by its id, several runs, or say which are meant: --flow PATH, --state STATE, --since TIME,"
                            + " --before TIME or --all.");
        }
        return isFilter() || ids.size() > 1;
    }

    boolean isDetached() {
        return detached;
    }

    private boolean isFilter() {
        return all || flow != null || !states.isEmpty() || since != null || before != null;
    }

    /** Puts the runs that are meant into a request body. */
    void addTo(ObjectNode body, List<String> ids) {
        if (!ids.isEmpty()) {
            ids.forEach(body.putArray("run_ids")::add);
            return;
        }
        ObjectNode filter = body.putObject("filter");
        put(filter, "flow", flow);
        if (!states.isEmpty()) {
            states.forEach(filter.putArray("states")::add);
        }
        put(filter, "created_from", since);
        put(filter, "created_before", before);
    }

    private static void put(ObjectNode filter, String field, @Nullable String value) {
        if (value != null) {
            filter.put(field, value);
        }
    }
}
