package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Times;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Resolves ids of runs as people give them: whole, by their first or last characters, or {@code @last}. An id begins
 * with a time, so runs of one minute share its first characters. Its last characters are random; tables show only those
 * if they lack room for the whole id.
 */
final class RunIds {
    /** Accepted forms, for descriptions of parameters. */
    static final String FORMS = "whole, its last or first characters, or @last";

    private static final String LAST = "@last";
    private static final Pattern CHARACTERS = Pattern.compile("[0-9a-f-]+");
    /** Fewer characters than these are no part of an id. */
    private static final int PART_MIN = 4;

    /** Number of the newest runs that are searched. */
    private static final int RUNS_MAX = 1_000;

    private static final int SHOWN_MAX = 10;

    private static final int LENGTH = 36;
    /** Number of random characters that tell the runs of a workspace apart, for hints that fit a line. */
    private static final int BRIEF = 8;

    private RunIds() {}

    /** The end of an id, which commands accept in its place. */
    static String brief(String id) {
        return id.length() == LENGTH ? id.substring(LENGTH - BRIEF) : id;
    }

    /** Returns the whole id. */
    static String find(MillraceClient client, String given) {
        return find(client, given, LastRun.of(System.getenv()));
    }

    static List<String> find(MillraceClient client, List<String> given) {
        return given.stream().map(id -> find(client, id)).toList();
    }

    static String find(MillraceClient client, String given, Optional<LastRun> last) {
        if (given.equals(LAST)) {
            return last.flatMap(run -> run.find(client))
                    .orElseThrow(() -> new CommandFailure(
                            ExitCode.NOT_FOUND,
                            "@last is the last run that this command line submitted, and to " + client.server()
                                    + " it has submitted none. Name the run by its id; list all runs with:"
                                    + " " + Launcher.NAME + " runs list"));
        }
        if (given.length() >= PART_MIN && !CHARACTERS.matcher(given).matches()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "\"" + given + "\" is no id of a run (expected: a whole id, its last or first characters, or "
                            + LAST + "). List all runs with: " + Launcher.NAME + " runs list");
        }
        return given.length() >= PART_MIN && given.length() < LENGTH ? findPart(client, given) : given;
    }

    private static String findPart(MillraceClient client, String part) {
        List<JsonNode> fitting = client.list(ApiPath.of("/runs"), RUNS_MAX).stream()
                .filter(run -> Json.text(run, "id").startsWith(part)
                        || Json.text(run, "id").endsWith(part))
                .toList();
        return switch (fitting.size()) {
            case 0 ->
                throw new CommandFailure(
                        ExitCode.NOT_FOUND,
                        "None of the newest " + RUNS_MAX + " runs has an id that begins or ends with " + part
                                + ". Give the whole id; list all runs with: " + Launcher.NAME + " runs list");
            case 1 -> Json.text(fitting.getFirst(), "id");
            default ->
                throw new CommandFailure(
                        ExitCode.USAGE,
                        fitting.size() + " runs have an id that begins or ends with " + part
                                + ". Give more characters to tell them apart:\n" + candidates(fitting));
        };
    }

    private static String candidates(List<JsonNode> runs) {
        return runs.stream()
                        .limit(SHOWN_MAX)
                        .map(run -> "  " + Json.text(run, "id") + "  " + Json.text(run, "name") + "  "
                                + Json.text(run, "state") + "  "
                                + Json.instant(run, "create_time")
                                        .map(Times::text)
                                        .orElse(""))
                        .collect(Collectors.joining("\n"))
                + (runs.size() > SHOWN_MAX ? "\n  …" : "");
    }
}
