package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/** An error in a flow definition, or a warning about it. Line and column count from 1; 0 means unknown. */
public record FlowProblem(int line, int column, String path, String message, String remedy) {
    public static FlowProblem of(JsonNode json) {
        return new FlowProblem(
                json.path("line").asInt(0),
                json.path("column").asInt(0),
                Json.text(json, "path"),
                Json.text(json, "message"),
                Json.text(json, "remedy"));
    }

    /**
     * The problem in the form that compilers print, {@code file:line:column: path: message remedy}, so that editors can
     * jump to it.
     */
    public String describe(String fileName) {
        StringBuilder text = new StringBuilder(fileName);
        if (line > 0) {
            text.append(fileName.isEmpty() ? "line " : ":").append(line);
            if (column > 0) {
                text.append(':').append(column);
            }
        }
        if (!text.isEmpty()) {
            text.append(": ");
        }
        if (!path.isEmpty()) {
            text.append(path).append(": ");
        }
        text.append(message);
        return remedy.isEmpty()
                ? text.toString()
                : text.append(' ').append(remedy).toString();
    }
}
