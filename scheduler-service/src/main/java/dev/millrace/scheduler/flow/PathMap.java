package dev.millrace.scheduler.flow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.Map;
import java.util.TreeMap;

/** JSON in a column that maps the paths in a flow version to versions. */
final class PathMap<T> {
    /** Path of a script to its hash and language. */
    static final PathMap<JobTarget.Script> SCRIPTS = new PathMap<>("flow.scripts", new TypeReference<>() {});
    /** Path of a sub-flow to its hash. */
    static final PathMap<String> SUB_FLOWS = new PathMap<>("flow.subflows", new TypeReference<>() {});

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final String column;
    private final TypeReference<Map<String, T>> type;

    private PathMap(String column, TypeReference<Map<String, T>> type) {
        this.column = column;
        this.type = type;
    }

    String write(Map<String, T> versions) {
        try {
            return MAPPER.writeValueAsString(new TreeMap<>(versions));
        } catch (JsonProcessingException impossible) {
            throw new AssertionError("a map of texts can be written", impossible);
        }
    }

    Map<String, T> read(String json) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException foreign) {
            throw new IllegalStateException(column + " was not written by this program", foreign);
        }
    }
}
