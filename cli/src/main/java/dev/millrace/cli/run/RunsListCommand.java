package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.RunTime;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace runs list}: lists the newest runs. */
@Command(name = "list", description = "List runs, newest first.")
public final class RunsListCommand extends ClientCommand {
    private static final int LIMIT_DEFAULT = 20;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "Only runs in these states: queued, running, succeeded, failed, canceled.")
    private List<String> states = List.of();

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = {
                "Only runs of this kind: work, preparation (of scripts, which deployments start) or all.",
                "Default: work; with --name: all."
            })
    private @Nullable String kind;

    @Option(names = "--name", paramLabel = "NAME", description = "Only runs of this flow, script or handler.")
    private @Nullable String name;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Only runs accepted then or later (" + MomentConverter.FORMS + ").")
    private @Nullable String since;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Only runs accepted before (" + MomentConverter.FORMS + ").")
    private @Nullable String before;

    @Option(
            names = "--with-input",
            paramLabel = "PATH=VALUE",
            description = {
                "Only runs whose input has this JSON value at this path, or, with PATH~TEXT, a text that contains TEXT.",
                "Several must all match. For example: customer.id=42"
            })
    private List<String> input = List.of();

    @Option(
            names = "--with-output",
            paramLabel = "PATH=VALUE",
            description = "Only runs that have ended and whose output matches in the same way.")
    private List<String> output = List.of();

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            description = "Only runs of which a job has this tag, which routes jobs to workers.")
    private @Nullable String tag;

    @Option(
            names = "--started-by",
            paramLabel = "WHO",
            description = {
                "Only runs that this has started: a person, a trigger such as \"webhook shop/order\", a kind of triggers"
                        + " such as schedule, or a run, by its id.",
            })
    private @Nullable String startedBy;

    @Option(names = "--limit", paramLabel = "N", description = "Most runs to list (default: ${DEFAULT-VALUE}).")
    private int limit = LIMIT_DEFAULT;

    @Option(
            names = "--follow",
            description = {
                "Print no list, but runs as they are accepted, start and end, until interrupted. With --state, also print"
                        + " runs that leave these states."
            })
    private boolean follow;

    @Option(names = "--count", description = "Print the number of runs instead, up to 10,000: 10000+ means more.")
    private boolean isCounting;

    public RunsListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        return follow ? follow(client) : list(client);
    }

    private ExitCode follow(MillraceClient client) {
        if (!input.isEmpty() || !output.isEmpty() || tag != null || startedBy != null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--follow cannot look into inputs, outputs, jobs and starters: leave out --with-input, --with-output,"
                            + " --tag and --started-by.");
        }
        new RunListFollower(client, filtered(ApiPath.of("/runs/events"))).follow(this::printChange, this::printGap);
        return ExitCode.OK;
    }

    private void printChange(JsonNode json) {
        if (wantsJson()) {
            print(Json.compact(json));
            return;
        }
        Run run = Run.of(json);
        String took = run.duration().map(Durations::text).orElse("");
        print(ControlCharacters.line(String.join("  ", run.id(), run.state().word(), run.name(), took)
                .stripTrailing()));
    }

    private void printGap(String reason) {
        terminal().err().println(ControlCharacters.line("Changes may be missing: " + reason));
    }

    private ApiPath filtered(ApiPath base) {
        ApiPath path = base;
        for (String state : states) {
            path = path.with("state", state);
        }
        return path.withIfGiven("kind", kind)
                .withIfGiven("name", name)
                .withIfGiven("created_from", since)
                .withIfGiven("created_before", before);
    }

    private ExitCode list(MillraceClient client) {
        ApiPath path = filtered(ApiPath.of("/runs"));
        for (String condition : input) {
            path = path.with("input", condition);
        }
        for (String condition : output) {
            path = path.with("output", condition);
        }
        path = path.withIfGiven("tag", tag).withIfGiven("started_by", startedBy);
        if (isCounting) {
            return count(client, path);
        }
        boolean all = path.equals(ApiPath.of("/runs"));
        Table table = new Table("ID<", "NAME", "STATE", "CREATED?", "TOOK>?", "QUEUED>?", "STARTED BY?");
        printList(
                client.list(path, Math.max(1, limit)),
                all ? "There are no runs yet. Start one with: " + Launcher.NAME + " run FILE" : "No run matches.",
                table,
                json -> {
                    Run run = Run.of(json);
                    table.row(
                            run.id(),
                            run.name(),
                            run.state().word(),
                            run.createTime().map(Times::text).orElse(""),
                            run.duration().map(Durations::text).orElse(""),
                            RunTime.waited(run),
                            starter(json));
                });
        return ExitCode.OK;
    }

    /** The trigger that started a run, else the run, else the person; empty for nobody known. */
    private static String starter(JsonNode run) {
        if (run.has("trigger")) {
            return run.at("/trigger/kind").asText() + " "
                    + run.at("/trigger/path").asText();
        }
        if (run.has("origin")) {
            return "run " + run.at("/origin/run_id").asText();
        }
        return Json.text(run, "started_by");
    }

    private ExitCode count(MillraceClient client, ApiPath path) {
        JsonNode count = client.get(path.with("include_count", "true").with("page_size", "1"))
                .path("count");
        if (!count.isObject()) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    "The server has not counted the runs: it counts no search by input, output, tag or starter, and stops after half a"
                            + " second. Choose fewer runs, for example with --since.");
        }
        if (wantsJson()) {
            printJson(count);
        } else {
            print(count.path("runs").asInt() + (count.path("capped").asBoolean() ? "+" : ""));
        }
        return ExitCode.OK;
    }
}
