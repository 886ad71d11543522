package dev.millrace.scheduler.alert.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Map;
import java.util.Optional;

/** What an event says to people: one line, and the facts below it. */
public final class AlertText {
    private static final String TYPE_START = "dev.millrace.";

    private AlertText() {}

    /** One line, without line ends. */
    public static String subject(String cloudEvent) {
        JsonValue event = JsonValue.of(cloudEvent);
        JsonValue data = event.members().getOrDefault("data", JsonValue.EMPTY_OBJECT);
        String step = text(data, "step").map(key -> " (step " + key + ")").orElse("");
        String asked = text(data, "title")
                .filter(title -> !title.isBlank())
                .map(title -> " – " + title)
                .orElse("");
        return oneLine(words(text(event, "type").orElse("").replace(TYPE_START, "")) + ": "
                + text(data, "name").orElse("") + step + asked);
    }

    /**
     * The facts, one a line.
     *
     * @param console where people find the console, without a slash at the end; absent for no link
     */
    public static String body(String cloudEvent, Workspace workspace, Optional<String> console) {
        JsonValue event = JsonValue.of(cloudEvent);
        JsonValue data = event.members().getOrDefault("data", JsonValue.EMPTY_OBJECT);
        StringBuilder lines = new StringBuilder();
        JsonValue error = data.members().getOrDefault("error", JsonValue.EMPTY_OBJECT);
        text(error, "message")
                .ifPresent(message -> line(lines, "error", text(error, "name").orElse("") + ": " + message));
        for (String key : new String[] {"run_id", "step", "path", "worker", "attempt", "actor", "reason"}) {
            text(data, key).filter(value -> !value.isEmpty()).ifPresent(value -> line(lines, key, value));
        }
        console.flatMap(url -> link(data, workspace, url)).ifPresent(link -> line(lines, "open", link));
        text(event, "time").ifPresent(time -> line(lines, "time", time));
        text(event, "source").ifPresent(source -> line(lines, "source", source));
        return lines.toString();
    }

    /** Page of the run, where people also answer what it asks. */
    private static Optional<String> link(JsonValue data, Workspace workspace, String console) {
        String query = workspace.equals(Workspace.DEFAULT) ? "" : "?workspace=" + workspace.name();
        return text(data, "run_id").filter(run -> !run.isEmpty()).map(run -> console + "/runs/" + run + query);
    }

    /** The body of a request to an incoming webhook of Slack. */
    public static String slack(String cloudEvent, Workspace workspace, Optional<String> console) {
        String text = "*" + escaped(subject(cloudEvent)) + "*\n" + escaped(body(cloudEvent, workspace, console));
        return JsonValue.ofMembers(Map.of("text", JsonValue.ofString(text))).text();
    }

    /** Slack reads three characters as markup of links and mentions. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** {@code run.failed} as words. */
    private static String words(String type) {
        String spaced = type.replace('.', ' ').replace('_', ' ');
        return spaced.isEmpty() ? spaced : Character.toUpperCase(spaced.charAt(0)) + spaced.substring(1);
    }

    private static void line(StringBuilder lines, String key, String value) {
        lines.append(key.replace('_', ' ')).append(": ").append(oneLine(value)).append('\n');
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }

    private static Optional<String> text(JsonValue value, String key) {
        return Optional.ofNullable(value.members().get(key))
                .map(found -> found.kind() == JsonValue.Kind.STRING ? found.string() : found.text());
    }
}
