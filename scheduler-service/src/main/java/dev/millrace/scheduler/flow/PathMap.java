package dev.millrace.scheduler.flow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Language;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** JSON in a column that maps the paths in a flow version to versions. */
final class PathMap<T> {
    /** Path of a script to its hash and language. */
    static final PathMap<JobTarget.Script> SCRIPTS = new PathMap<>("flow.scripts", new TypeReference<>() {});
    /** Path of a sub-flow to its hash. */
    static final PathMap<String> SUB_FLOWS = new PathMap<>("flow.subflows", new TypeReference<>() {});

    private static final JsonMapper MAPPER =
            JsonMapper.builder().addModule(languages()).build();

    private final String column;
    private final TypeReference<Map<String, T>> type;

    private PathMap(String column, TypeReference<Map<String, T>> type) {
        this.column = column;
        this.type = type;
    }

    /** Languages by their names in capitals, as programs wrote them that knew a fixed list. */
    private static SimpleModule languages() {
        return new SimpleModule()
                .addSerializer(new StdDelegatingSerializer(Language.class, new StdConverter<Language, String>() {
                    @Override
                    public String convert(Language language) {
                        return language.name().toUpperCase(Locale.ROOT);
                    }
                }))
                .addDeserializer(Language.class, new StdDelegatingDeserializer<>(new StdConverter<String, Language>() {
                    @Override
                    public Language convert(String name) {
                        return new Language(name.toLowerCase(Locale.ROOT));
                    }
                }));
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
