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
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.evaluator.Answer;
import dev.millrace.scheduler.expression.evaluator.Engine;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Engine for JSONPaths with filters, wildcards, slices or functions. */
public final class PathEngine implements Engine {
    private static final int PATHS_KEPT_MAX = 500;
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final Configuration CONFIGURATION = Configuration.builder()
            .jsonProvider(new JacksonJsonNodeJsonProvider(MAPPER))
            .mappingProvider(new JacksonMappingProvider(MAPPER))
            .build();

    private final BoundedCache<String, JsonPath> compiled = new BoundedCache<>(PATHS_KEPT_MAX);

    /** Evaluates a request whose parts are the path, from its dollar sign on, and its input. */
    @Override
    public Answer evaluate(List<@Nullable String> parts, Lookup values) {
        String source = Objects.requireNonNull(parts.get(0));
        JsonPath path = compiled.find(source, text -> Optional.of(JsonPath.compile(text)))
                .orElseThrow();
        try {
            JsonNode tree = MAPPER.readTree(parts.get(1));
            Object found = path.read(tree, CONFIGURATION);
            return new Answer.Value(MAPPER.writeValueAsString(found));
        } catch (PathNotFoundException missing) {
            return new Answer.Value(path.isDefinite() ? "null" : "[]");
        } catch (JsonPathException | ClassCastException | JsonProcessingException failed) {
            throw new EvaluationFailed(
                    "ExpressionFailed", "The path " + path.getPath() + " failed: " + failed.getMessage());
        }
    }
}
