package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Words for what a deployment of a script would change.
 *
 * @param plan answer of the server
 */
record ScriptChange(JsonNode plan) {
    private static final String SCHEMA = "input_schema";

    /** The lines to print. */
    List<String> describe() {
        JsonNode script = plan.path("script");
        JsonNode current = plan.path("current");
        String path = script.path("path").asText();
        List<String> lines = new ArrayList<>();
        if (current.isMissingNode()) {
            lines.add("The script " + path + " would be new.");
        } else {
            texts(path, current, script, lines);
            language(path, current, script, lines);
            if (lines.isEmpty() && !hash(script).equals(hash(current))) {
                lines.add("The script " + path + " would get another version: how its files are written has changed.");
            }
            schema(path, current, script, lines);
        }
        if (lines.isEmpty()) {
            lines.add("Nothing would change: the script " + path + " is deployed like this.");
        }
        return lines;
    }

    private static void texts(String path, JsonNode current, JsonNode script, List<String> lines) {
        Map<String, String> before = files(path, current);
        Map<String, String> after = files(path, script);
        TreeSet<String> all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        for (String file : all) {
            if (!after.containsKey(file)) {
                lines.add("The file " + file + " would no longer belong to the script " + path + ".");
                continue;
            }
            List<String> changed = LineDiff.of(before.getOrDefault(file, ""), after.get(file));
            if (!changed.isEmpty()) {
                lines.add(before.containsKey(file) ? "--- " + file + " as it is deployed" : "--- /dev/null");
                lines.add("+++ " + file);
                lines.addAll(changed);
            }
        }
    }

    private static void language(String path, JsonNode current, JsonNode script, List<String> lines) {
        String before = current.path("language").asText();
        String after = script.path("language").asText();
        if (!before.equals(after)) {
            lines.add("The language of the script " + path + " would be " + after + " in place of " + before + ".");
        }
    }

    /** What a worker reads from the text is no change of its own. */
    private static void schema(String path, JsonNode current, JsonNode script, List<String> lines) {
        boolean isOfAuthor = current.path("input_schema_origin").asText().equals("author");
        if (script.has(SCHEMA) && !script.path(SCHEMA).equals(current.path(SCHEMA))) {
            lines.add("The schema of the inputs of the script " + path + " would change.");
        } else if (!script.has(SCHEMA) && isOfAuthor) {
            lines.add("The schema of the inputs of the script " + path
                    + " would be removed: give it again with --schema, or let a worker read the signature.");
        }
    }

    private static Map<String, String> files(String path, JsonNode version) {
        Map<String, String> files = new TreeMap<>();
        files.put(path, version.path("content").asText());
        version.path("files")
                .forEach(file -> files.put(
                        file.path("path").asText(), file.path("content").asText()));
        return files;
    }

    private static String hash(JsonNode version) {
        return version.path("hash").asText();
    }
}
