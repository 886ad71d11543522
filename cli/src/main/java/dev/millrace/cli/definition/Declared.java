package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Words for a trigger that the file of a flow declares. */
final class Declared {
    /** Kinds whose name says what it is; the others are triggers of this kind. */
    private static final Set<String> NOUNS = Set.of("schedule", "webhook");

    private Declared() {}

    /** @param verb such as {@code was}, before what happens to the trigger */
    static String sentence(JsonNode trigger, String verb) {
        String kind = trigger.path("kind").asText();
        return "The " + kind + (NOUNS.contains(kind) ? "" : " trigger") + " "
                + trigger.path("path").asText() + " of its file " + verb + " "
                + trigger.path("change").asText() + ".";
    }
}
