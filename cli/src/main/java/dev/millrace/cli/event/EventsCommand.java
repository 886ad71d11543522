package dev.millrace.cli.event;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace events}: prints what happens in a workspace. */
@Command(
        name = "events",
        description = {
            "Print what happens to the runs, flows, scripts and workers of a workspace.",
            "",
            "Without --follow, print the events that are kept. Events of runs are kept from the first reader on, until"
                    + " an hour after the last one."
        })
public final class EventsCommand extends ClientCommand {
    private static final String OLDEST = "oldest";
    private static final String TYPE_START = "dev.millrace.";

    @Option(names = "--follow", description = "Go on with what happens from now on, until interrupted.")
    private boolean follow;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "Only these types, for example run.failed or step.*; may be repeated.")
    private List<String> types = new ArrayList<>();

    @Option(names = "--folder", paramLabel = "NAME", description = "Only flows, scripts and runs in this folder.")
    private @Nullable String folder;

    @Option(names = "--path", paramLabel = "PATH", description = "Only this flow or script, and its runs.")
    private @Nullable String path;

    @Option(names = "--run", paramLabel = "ID", description = "Only this run.")
    private @Nullable String run;

    @Option(
            names = "--from",
            paramLabel = "POSITION",
            description = "After this position of an event, or oldest (default with --follow: from now on).")
    private @Nullable String from;

    public EventsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ApiPath events = ApiPath.of("/events")
                .withIfGiven("type", types.isEmpty() ? null : String.join(",", types))
                .withIfGiven("folder", folder)
                .withIfGiven("path", path)
                .withIfGiven("run_id", run)
                .with("until_now", String.valueOf(!follow));
        boolean fromOldest = OLDEST.equals(from) || (from == null && !follow);
        new EventFollower(client, events, fromOldest ? null : from, fromOldest)
                .follow(this::printEvent, this::printGap);
        return ExitCode.OK;
    }

    private void printEvent(JsonNode event) {
        if (wantsJson()) {
            print(Json.compact(event));
            return;
        }
        JsonNode data = event.path("data");
        String error = Json.text(data.path("error"), "message");
        List<String> words = new ArrayList<>(List.of(
                Times.text(Json.text(event, "time")),
                Json.text(event, "type").replace(TYPE_START, ""),
                Json.text(data, "name")));
        words.add(Json.text(data, "step"));
        words.add(Json.text(data, "run_id"));
        words.add(error);
        words.removeIf(String::isEmpty);
        print(ControlCharacters.line(String.join("  ", words)));
    }

    private void printGap(JsonNode gap) {
        terminal().err().println(ControlCharacters.line("Events may be missing: " + Json.text(gap, "reason")));
    }
}
