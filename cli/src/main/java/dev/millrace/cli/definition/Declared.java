package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;

/** Words for a trigger that the file of a flow declares. */
final class Declared {
    private Declared() {}

    /** @param verb such as {@code was}, before what happens to the trigger */
    static String sentence(JsonNode trigger, String verb) {
        String kind = trigger.path("kind").asText();
        return "The " + (kind.equals("event") ? "event trigger" : kind) + " "
                + trigger.path("path").asText() + " of its file " + verb + " "
                + trigger.path("change").asText() + ".";
    }
}
