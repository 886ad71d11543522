package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select the runs of a bulk operation. */
final class RunSelection {
    @Option(names = "--all", description = "All runs to which the operation applies.")
    private boolean all;

    @Option(names = "--flow", paramLabel = "PATH", description = "Runs of this flow.")
    private @Nullable String flow;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Runs of this flow, script or handler. With --flow, only flows are meant.")
    private @Nullable String name;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "Runs in these states: queued, running, succeeded, failed, canceled.")
    private List<String> states = new ArrayList<>();

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = {
                "Runs of this kind: work, preparation (of scripts, which deployments start) or all.",
                "Default: work; with --name: all."
            })
    private @Nullable String kind;

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
            names = "--with-input",
            paramLabel = "PATH=VALUE",
            description = {
                "Runs whose input has this JSON value at this path, or, with PATH~TEXT, a text that contains TEXT.",
                "Several must all match. For example: customer.id=42"
            })
    private List<String> input = new ArrayList<>();

    @Option(
            names = "--with-output",
            paramLabel = "PATH=VALUE",
            description = "Runs that have ended and whose output matches in the same way.")
    private List<String> output = new ArrayList<>();

    @Option(names = "--tag", paramLabel = "TAG", description = "Runs of which a job has this tag.")
    private @Nullable String tag;

    @Option(
            names = "--started-by",
            paramLabel = "WHO",
            description = "Runs that this has started: a person, a trigger, a kind of triggers, or a run.")
    private @Nullable String startedBy;

    @Option(
            names = "--detach",
            description = "With many runs, do not wait for the end of the operation. With one run, there is no wait.")
    private boolean detached;

    /** Whether more than one run is selected. */
    boolean isBulk(List<String> ids) {
        if (isFilter() && !ids.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "Name runs by id, or select them with --all, --flow, --name, --state, --kind, --since, --before,"
                            + " --with-input, --with-output, --tag and --started-by.");
        }
        if (!isFilter() && ids.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "Name one or more runs by id, or select runs with --flow PATH, --name NAME, --state STATE,"
                            + " --since TIME, --before TIME, --with-input PATH=VALUE, --with-output PATH=VALUE,"
                            + " --tag TAG, --started-by WHO or --all.");
        }
        return isFilter() || ids.size() > 1;
    }

    boolean isDetached() {
        return detached;
    }

    /** The flow of the filter. Fails if it names none, since a version is one of a single flow. */
    String requireFlow() {
        if (flow == null) {
            throw new CommandFailure(
                    ExitCode.USAGE, "Which flow is meant is not known: select its runs with --flow PATH.");
        }
        return flow;
    }

    private boolean isFilter() {
        return all
                || Stream.of(flow, name, kind, since, before, tag, startedBy).anyMatch(Objects::nonNull)
                || Stream.of(states, input, output).anyMatch(given -> !given.isEmpty());
    }

    /** Adds the selected runs to a request body. */
    void addTo(ObjectNode body, List<String> ids) {
        if (!ids.isEmpty()) {
            ids.forEach(body.putArray("run_ids")::add);
            return;
        }
        ObjectNode filter = body.putObject("filter");
        put(filter, "flow", flow);
        put(filter, "name", name);
        put(filter, "states", states);
        put(filter, "kind", kind);
        put(filter, "created_from", since);
        put(filter, "created_before", before);
        put(filter, "input", input);
        put(filter, "output", output);
        put(filter, "tag", tag);
        put(filter, "started_by", startedBy);
    }

    private static void put(ObjectNode filter, String field, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(filter.putArray(field)::add);
        }
    }

    private static void put(ObjectNode filter, String field, @Nullable String value) {
        if (value != null) {
            filter.put(field, value);
        }
    }
}
