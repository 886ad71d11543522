package dev.millrace.contract;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.DisallowUnknownKeywordFactory;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Checks values against the schemas of a document. Thread-safe. */
final class Schemas {
    /** Has higher limits, because payloads of tests may be deeper and longer than Jackson's defaults allow. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(100_000)
                            .maxNumberLength(1 << 20)
                            .maxStringLength(100 << 20)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final SchemaValidatorsConfig CONFIG =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
    /** Rejects unknown keywords. A comma in an unquoted YAML text creates such a keyword and cuts off the text. */
    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(
            VersionFlag.V202012,
            factory -> factory.metaSchema(JsonMetaSchema.builder(JsonMetaSchema.getV202012())
                    .unknownKeywordFactory(DisallowUnknownKeywordFactory.getInstance())
                    .build()));

    private final SchemaRewriting asWritten;
    private final SchemaRewriting closed;
    private final Map<JsonNode, JsonSchema> ofRequests = new ConcurrentHashMap<>();
    private final Map<JsonNode, JsonSchema> ofAnswers = new ConcurrentHashMap<>();

    Schemas(Document document) {
        asWritten = new SchemaRewriting(document, false);
        closed = new SchemaRewriting(document, true);
    }

    /** Returns the problems of a value that a caller sends. */
    List<String> checkSent(JsonNode schema, JsonNode value) {
        return check(
                ofRequests.computeIfAbsent(schema, key -> FACTORY.getSchema(asWritten.complete(key), CONFIG)), value);
    }

    /**
     * Returns the problems of a value in an answer of the gateway, including each field that the schema does not
     * describe.
     */
    List<String> checkAnswered(JsonNode schema, JsonNode value) {
        return check(ofAnswers.computeIfAbsent(schema, key -> FACTORY.getSchema(closed.complete(key), CONFIG)), value);
    }

    static JsonNode parse(String json) throws JsonProcessingException {
        return JSON.readTree(json.startsWith(BYTE_ORDER_MARK) ? json.substring(1) : json);
    }

    private static List<String> check(JsonSchema schema, JsonNode value) {
        Set<ValidationMessage> messages = schema.validate(value);
        // A field whose value is wrong also counts as not described.
        boolean onlyUndescribed = messages.stream().allMatch(Schemas::isUndescribed);
        return messages.stream()
                .filter(message -> onlyUndescribed || !isUndescribed(message))
                .map(Object::toString)
                .sorted()
                .toList();
    }

    private static boolean isUndescribed(ValidationMessage message) {
        return message.getType().equals("unevaluatedProperties");
    }
}
