package dev.millrace.scheduler.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.resource.DisallowSchemaLoader;
import dev.millrace.scheduler.queue.core.Json;
import java.io.IOException;

/**
 * Compiles JSON Schemas of version 2020-12. Thread-safe.
 *
 * <p>A schema may refer only to itself, so nothing is ever loaded. {@code format} is only an annotation, as the
 * specification defines it. Regular expressions are Java's.
 */
public final class JsonSchemas {
    /** Maximum number of characters of a schema that is compiled without waiting for a turn: some milliseconds. */
    private static final int SMALL_LENGTH_MAX = 4 * 1024;
    /** Maximum number of characters of a schema. */
    public static final int LENGTH_MAX = 256 * 1024;

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final ObjectMapper ROUNDING_JSON = new ObjectMapper();
    /**
     * Does not cache references: the cache has an entry for every path through them, and grows without bound if they
     * recur.
     */
    private static final SchemaValidatorsConfig CONFIG = SchemaValidatorsConfig.builder()
            .cacheRefs(false)
            .preloadJsonSchema(false)
            .regularExpressionFactory(BoundedPattern::of)
            .build();

    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(
            VersionFlag.V202012,
            factory -> factory.schemaLoaders(loaders -> loaders.add(DisallowSchemaLoader.getInstance())));
    /** The meta-schema, which the library contains. */
    private static final CompiledSchema OF_SCHEMAS = new CompiledSchema(
            JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(SchemaLocation.of(SchemaId.V202012), CONFIG));

    private JsonSchemas() {}

    /**
     * Compiles a schema from anywhere. If it is large, the caller waits for its turn.
     *
     * @throws SchemaInvalid if the text is no schema, or uses something that is not supported here
     */
    public static CompiledSchema compile(Json schema) throws SchemaInvalid {
        if (schema.text().length() > LENGTH_MAX) {
            throw new SchemaInvalid(
                    "",
                    "It has " + schema.text().length() + " characters (expected: at most " + LENGTH_MAX + ").",
                    "Make it shorter.");
        }
        if (schema.text().length() <= SMALL_LENGTH_MAX) {
            return compileInTurn(schema);
        }
        CostlyTurns.await();
        try {
            return compileInTurn(schema);
        } finally {
            CostlyTurns.end();
        }
    }

    private static CompiledSchema compileInTurn(Json schema) throws SchemaInvalid {
        JsonNode tree = tree(schema);
        SchemaReading.check(tree);
        for (SchemaProblem problem : OF_SCHEMAS.checkInTurn(tree)) {
            throw new SchemaInvalid(
                    problem.pointer(),
                    "It breaks the rules of JSON Schema 2020-12: this " + problem.message() + ".",
                    "Correct it.");
        }
        return compile(tree);
    }

    /**
     * Compiles a schema that {@link #compile} has taken before. This costs a fraction.
     *
     * @throws SchemaInvalid if it is none after all
     */
    public static CompiledSchema compileAgain(Json schema) throws SchemaInvalid {
        return compile(tree(schema));
    }

    private static CompiledSchema compile(JsonNode tree) throws SchemaInvalid {
        try {
            JsonSchema compiled = FACTORY.getSchema(tree, CONFIG);
            compiled.initializeValidators();
            return new CompiledSchema(compiled);
        } catch (JsonSchemaException wrong) {
            throw new SchemaInvalid("", "It cannot be used: " + wrong.getMessage() + ".", "Correct it.");
        }
    }

    /** @throws IOException if the value has more digits or levels than are read */
    static JsonNode roundedTree(Json value) throws IOException {
        return ROUNDING_JSON.readTree(value.text());
    }

    static JsonNode tree(Json value) {
        try {
            return JSON.readTree(value.text());
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("the value is not JSON", notJson);
        }
    }
}
