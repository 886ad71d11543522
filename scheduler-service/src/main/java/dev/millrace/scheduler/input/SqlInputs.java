package dev.millrace.scheduler.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.text.sql.SqlDialect;
import dev.millrace.text.sql.SqlParameter;
import dev.millrace.text.sql.SqlText;
import dev.millrace.text.sql.SqlTextException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the schema of a script in SQL. Names that no statement uses are ignored by the job, so the schema takes them. Types
 * count for PostgreSQL alone: it gets a cast to the type, while others convert as they like.
 */
final class SqlInputs {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Keeps all digits of numbers. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final String DATABASE = "database";

    private final SqlDialect dialect;

    SqlInputs(SqlDialect dialect) {
        this.dialect = dialect;
    }

    /** The schema; empty for a script that the job cannot read either. */
    Optional<ObjectNode> schema(String source) {
        Map<String, SqlParameter> used = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>(List.of(DATABASE));
        try {
            SqlText.split(source, dialect).stream()
                    .flatMap(statement -> statement.parameters().stream())
                    .forEach(parameter -> {
                        used.merge(parameter.name(), parameter, SqlInputs::common);
                        if (parameter.defaultValue().isEmpty()) {
                            required.add(parameter.name());
                        }
                    });
        } catch (SqlTextException unusable) {
            return Optional.empty();
        }
        used.remove(DATABASE);
        ObjectNode schema = DeclaredSchemas.object(NODES.objectNode());
        ObjectNode properties = schema.putObject("properties");
        properties.set(DATABASE, database());
        used.values().forEach(parameter -> properties.set(parameter.name(), property(parameter)));
        required.forEach(schema.withArray("required")::add);
        return Optional.of(schema);
    }

    /** A parameter with two types can be either, since each place has a cast of its own. */
    private static SqlParameter common(SqlParameter first, SqlParameter second) {
        return first.equals(second) ? first : SqlParameter.undeclared(first.name());
    }

    private ObjectNode database() {
        ObjectNode database = NODES.objectNode();
        database.putArray("type").add("object").add("string");
        return database.put(
                "description",
                dialect == SqlDialect.SQLITE
                        ? "The database: its file, or an object with file and mode."
                        : "The database: an object with host, user, password and dbname, or a URL.");
    }

    private ObjectNode property(SqlParameter parameter) {
        ObjectNode property =
                dialect == SqlDialect.POSTGRESQL ? PostgresTypes.schema(parameter.type()) : NODES.objectNode();
        if (!parameter.type().isEmpty()) {
            property.put("description", parameter.type());
        }
        parameter.defaultValue().ifPresent(written -> property.set("default", parsed(written)));
        return property;
    }

    /** A default as the worker reads it: JSON, a text between single quotes, or a text as it stands. */
    private static JsonNode parsed(String written) {
        if (written.length() >= 2 && written.startsWith("'") && written.endsWith("'")) {
            return TextNode.valueOf(written.substring(1, written.length() - 1).replace("''", "'"));
        }
        try {
            JsonNode read = JSON.readTree(written);
            return read.isMissingNode() ? TextNode.valueOf(written) : read;
        } catch (JsonProcessingException text) {
            return TextNode.valueOf(written);
        }
    }
}
