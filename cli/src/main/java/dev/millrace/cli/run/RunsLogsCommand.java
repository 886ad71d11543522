package dev.millrace.cli.run;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.LogChunk;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.RunFollower;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.LogLines;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace runs logs}: prints the output of a run's jobs. */
@Command(name = "logs", description = "Print what the jobs of a run printed.")
public final class RunsLogsCommand extends ClientCommand {
    /** Number of steps searched for one that has printed nothing. */
    private static final int STEPS_MAX = 1_000_000;

    private final LogLines lines = new LogLines();
    private UnaryOperator<String> shownKey = key -> key;
    private boolean hasShown;

    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Continue until the run has ended.")
    private boolean isFollowing;

    @Option(
            names = "--step",
            paramLabel = "STEP",
            description = "Only this step and those inside it, for example count or count[3].")
    private @Nullable String step;

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            description = "Only this stream: stdout, stderr, system or trace; repeat it for several.")
    private String[] streams = {};

    @Option(names = "--tail", paramLabel = "LINES", description = "Only the last lines, so many of them.")
    private @Nullable Integer tail;

    @Option(names = "--find", paramLabel = "TEXT", description = "Only lines with this text; the server searches.")
    private @Nullable String wanted;

    @Option(names = "--match-case", description = "With --find: tell a from A.")
    private boolean matchesCase;

    @Spec
    private @Nullable CommandSpec spec;

    public RunsLogsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        checkOptions();
        runId = RunIds.find(client, runId);
        StepKeys keys = new StepKeys(client, runId);
        shownKey = keys::shown;
        step = step == null ? null : keys.numbered(step);
        LogPages pages = new LogPages(client, runId, step, streams);
        if (isFollowing) {
            new RunFollower(client, runId, true).follow((name, data) -> {
                if (name.equals("log")) {
                    show(data);
                }
            });
        } else if (wanted != null) {
            printAll(receive -> pages.matches(requireNonNull(wanted), matchesCase, receive), this::printMatch);
        } else if (tail != null) {
            printTail(pages, tail);
        } else {
            printAll(pages::chunks, this::show);
        }
        lines.rest().forEach(this::printLine);
        if (step != null && !hasShown) {
            explainSilence(client, step);
        }
        return ExitCode.OK;
    }

    private void checkOptions() {
        String conflict = isFollowing && (tail != null || wanted != null)
                ? "--follow shows everything from the first line: leave out --tail and --find."
                : tail != null && wanted != null
                        ? "--tail and --find cannot be combined: leave out one of them."
                        : tail != null && tail < 1 ? "--tail: " + tail + " (expected: >= 1)" : "";
        if (!conflict.isEmpty()) {
            throw new ParameterException(
                    requireNonNull(spec, "picocli sets spec").commandLine(), conflict);
        }
    }

    /** Prints what is read at once; as JSON, all of it is one object. */
    private void printAll(Consumer<Consumer<JsonNode>> read, Consumer<JsonNode> printOne) {
        if (!wantsJson()) {
            read.accept(printOne);
            return;
        }
        ObjectNode all = Json.object();
        ArrayNode items = all.putArray("items");
        read.accept(item -> {
            if (isWanted(item)) {
                items.add(item);
            }
        });
        hasShown = !items.isEmpty();
        printJson(all);
    }

    private void printTail(LogPages pages, int count) {
        if (wantsJson()) {
            printAll(receive -> pages.lastChunks(count, receive), this::show);
            return;
        }
        List<LogLines.Line> last = new ArrayList<>();
        pages.lastChunks(count, chunk -> {
            if (isWanted(chunk)) {
                last.addAll(lines.add(LogChunk.of(chunk)));
            }
        });
        last.addAll(lines.rest());
        hasShown = !last.isEmpty();
        last.subList(Math.max(0, last.size() - count), last.size()).forEach(this::printLine);
    }

    private void printMatch(JsonNode match) {
        hasShown = true;
        printLine(new LogLines.Line(Json.text(match, "step"), Json.text(match, "stream"), Json.text(match, "text")));
    }

    /** Tells an unknown step from one that has printed nothing, so that a misspelled key is noticed. */
    private void explainSilence(MillraceClient client, String key) {
        boolean isKnown = client.list(ApiPath.of("/runs").child(runId).then("/steps"), STEPS_MAX).stream()
                .anyMatch(step -> isInside(Json.text(step, "key"), key));
        if (!isKnown) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "No step \"" + key + "\" of run " + runId + " has begun. List those that have with: "
                            + Launcher.NAME + " runs get " + runId);
        }
        terminal().err().println("Step \"" + key + "\" has printed nothing.");
    }

    private boolean isWanted(JsonNode chunk) {
        String key = Json.text(chunk, "step");
        return (step == null || isInside(key, step))
                && (streams.length == 0 || List.of(streams).contains(Json.text(chunk, "stream")));
    }

    private static boolean isInside(String key, String outer) {
        return key.equals(outer) || key.startsWith(outer + "[") || key.startsWith(outer + ".");
    }

    private void show(JsonNode chunk) {
        if (!isWanted(chunk)) {
            return;
        }
        hasShown = true;
        if (wantsJson()) {
            print(Json.compact(chunk));
        } else {
            lines.add(LogChunk.of(chunk)).forEach(this::printLine);
        }
    }

    private void printLine(LogLines.Line line) {
        String name = line.step().isEmpty() ? "" : ControlCharacters.line(shownKey.apply(line.step())) + " | ";
        print(terminal().paint().dim(name) + line.text());
    }
}
