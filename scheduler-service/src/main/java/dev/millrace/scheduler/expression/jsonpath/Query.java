package dev.millrace.scheduler.expression.jsonpath;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;
import com.jayway.jsonpath.PathNotFoundException;
import com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider;
import com.jayway.jsonpath.spi.mapper.JacksonMappingProvider;
import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/**
 * A JSONPath with filters, wildcards, slices or functions. Where nothing is found, one that may find several values gives none.
 *
 * @param source the path as it is written, from the base on
 */
record Query(Expression base, JsonPath path, String source) implements Computed {
    /** Most characters of what it is asked of. */
    private static final int INPUT_CHARS_MAX = 1024 * 1024;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final Configuration CONFIGURATION = Configuration.builder()
            .jsonProvider(new JacksonJsonNodeJsonProvider(MAPPER))
            .mappingProvider(new JacksonMappingProvider(MAPPER))
            .build();

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = base.evaluate(scope);
        if (value.length() > INPUT_CHARS_MAX) {
            throw new EvaluationFailed(
                    "PayloadTooLarge",
                    "The path " + path.getPath() + " searches more than the limit of " + INPUT_CHARS_MAX
                            + " characters.");
        }
        try {
            JsonNode tree = MAPPER.readTree(value.text());
            Object found = path.read(tree, CONFIGURATION);
            return JsonValue.of(MAPPER.writeValueAsString(found));
        } catch (PathNotFoundException missing) {
            return path.isDefinite() ? JsonValue.NULL : JsonValue.of("[]");
        } catch (JsonPathException | ClassCastException | JsonProcessingException failed) {
            throw new EvaluationFailed(
                    "ExpressionFailed", "The path " + path.getPath() + " failed: " + failed.getMessage());
        }
    }

    @Override
    public Reads reads() {
        return base.reads();
    }

    @Override
    public List<Path> paths() {
        return switch (base) {
            case Path plain -> List.of(plain);
            case Computed computed -> computed.paths();
        };
    }

    @Override
    public Optional<String> text() {
        return new CallText(PathFunctions.FAMILY + ".find")
                .expression(base)
                .text(source)
                .write();
    }
}
