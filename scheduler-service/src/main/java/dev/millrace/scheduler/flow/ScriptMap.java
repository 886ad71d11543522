package dev.millrace.scheduler.flow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.Map;
import java.util.TreeMap;

/** The scripts of a flow version as JSON: path → hash and language. */
final class ScriptMap {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final TypeReference<Map<String, JobTarget.Script>> TYPE = new TypeReference<>() {};

    private ScriptMap() {}

    static String write(Map<String, JobTarget.Script> scripts) {
        try {
            return MAPPER.writeValueAsString(new TreeMap<>(scripts));
        } catch (JsonProcessingException impossible) {
            throw new AssertionError("a map of texts can be written", impossible);
        }
    }

    static Map<String, JobTarget.Script> read(String json) {
        try {
            return MAPPER.readValue(json, TYPE);
        } catch (JsonProcessingException foreign) {
            throw new IllegalStateException("flow.scripts was not written by this program", foreign);
        }
    }
}
