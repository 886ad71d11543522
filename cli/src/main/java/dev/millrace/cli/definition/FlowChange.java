package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * Words for what a deployment of a flow would change.
 *
 * @param planned answer of the server
 * @param file name of the definition, for people
 * @param definition that would be deployed
 * @param deployed finds the text of a script by its path and the hash of its version
 */
record FlowChange(FlowFile.Plan planned, String file, String definition, BinaryOperator<String> deployed) {
    /** The lines to print. */
    List<String> describe() {
        JsonNode plan = planned.json();
        JsonNode flow = plan.path("flow");
        JsonNode current = plan.path("current");
        String path = flow.path("path").asText();
        List<String> lines = new ArrayList<>();
        if (current.isMissingNode()) {
            lines.add("The flow " + path + " would be new.");
        } else {
            List<String> changed = LineDiff.of(current.path("definition").asText(), definition);
            if (!changed.isEmpty()) {
                lines.add("--- " + path + " as it is deployed");
                lines.add("+++ " + file);
                lines.addAll(changed);
            }
            scripts(current, flow, lines);
            if (lines.isEmpty() && !isSame(flow, current)) {
                lines.add("The flow " + path
                        + " would get another version: its sub-flows have changed, or how its file is" + " written.");
            }
        }
        plan.path("triggers").forEach(trigger -> lines.add(Declared.sentence(trigger, "would be")));
        if (lines.isEmpty()) {
            lines.add("Nothing would change: the flow " + path + " is deployed like this.");
        }
        return lines;
    }

    private static boolean isSame(JsonNode flow, JsonNode current) {
        return flow.path("hash").asText().equals(current.path("hash").asText());
    }

    private void scripts(JsonNode current, JsonNode flow, List<String> lines) {
        Map<String, String> before = hashes(current);
        Map<String, String> after = hashes(flow);
        TreeSet<String> all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        for (String script : all) {
            if (!before.containsKey(script)) {
                lines.add("The script " + script + " would be added.");
            } else if (!after.containsKey(script)) {
                lines.add("The script " + script + " would no longer be used.");
            } else if (!before.get(script).equals(after.get(script))) {
                lines.add("The script " + script + " would change.");
                text(script, before.get(script), lines);
            }
        }
    }

    /** Shows the changed lines of a script that comes with the flow; those of another one are deployed already. */
    private void text(String script, String hash, List<String> lines) {
        JsonNode after = planned.files().path(script);
        List<String> changed =
                after.isTextual() ? LineDiff.of(deployed.apply(script, hash), after.asText()) : List.of();
        if (!changed.isEmpty()) {
            lines.add("--- " + script + " as it is deployed");
            lines.add("+++ " + script);
            lines.addAll(changed);
        }
    }

    private static Map<String, String> hashes(JsonNode version) {
        Map<String, String> hashes = new LinkedHashMap<>();
        version.path("scripts")
                .forEach(script -> hashes.put(
                        script.path("path").asText(), script.path("hash").asText()));
        return hashes;
    }
}
