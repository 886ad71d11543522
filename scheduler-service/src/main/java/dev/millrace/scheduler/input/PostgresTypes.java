package dev.millrace.scheduler.input;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * What can be cast to types of PostgreSQL. The worker sends a text as it is and all else as JSON, and the server reads that
 * as a literal of the type. So a number may be a text, and hardly a text is certainly no date. Source: chapter 8 of the manual of
 * PostgreSQL 18, and the input functions of its types.
 */
final class PostgresTypes {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String BLANKS = "^[ \\t\\n\\r\\f\\u000b]*";

    private PostgresTypes() {}

    /** The schema of what a cast to a type may take; any value for a type that is not known here. */
    static ObjectNode schema(String type) {
        String name = type.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").strip();
        if (!name.endsWith("[]")) {
            return scalar(name);
        }
        // An object can be a text that begins like an array.
        ObjectNode array = types("array", "string", "object", "null").put("pattern", BLANKS + "[{\\[]");
        ObjectNode element = scalar(name.substring(0, name.length() - 2).strip());
        if (element.path("type").isArray()) {
            // A list in a list is one more dimension.
            element.withArray("type").add("array");
        }
        array.set("items", element);
        return array;
    }

    private static ObjectNode scalar(String name) {
        return switch (name.replaceFirst(" ?\\(.*", "")) {
            case "int", "integer", "int2", "int4", "int8", "smallint", "bigint" ->
                types("integer", "string", "null").put("format", "integer").put("pattern", BLANKS + "[+-]?[0-9]");
            case "numeric", "decimal", "dec", "real", "float", "float4", "float8", "double precision" ->
                types("number", "string", "null")
                        .put("format", "number")
                        .put("pattern", BLANKS + "[+-]?([0-9]|\\.[0-9]|[nN][aA][nN]|[iI][nN][fF])");
            case "bool", "boolean" ->
                types("boolean", "string", "number", "null")
                        .put("format", "boolean")
                        .put("pattern", BLANKS + "[tTfFyYnNoO01]");
            case "uuid" ->
                types("string", "number", "null").put("format", "uuid").put("pattern", "^\\{?[0-9a-fA-F]");
            case "text", "varchar", "char", "character", "character varying", "bpchar", "name", "citext" ->
                NODES.objectNode().put("contentMediaType", "text/plain");
            case "date" -> NODES.objectNode().put("format", "date");
            case "time", "timetz" -> NODES.objectNode().put("format", "time");
            case "timestamp", "timestamptz" -> NODES.objectNode().put("format", "date-time");
            case "interval" -> NODES.objectNode().put("format", "duration");
            case "json", "jsonb" -> NODES.objectNode().put("contentMediaType", "application/json");
            default -> NODES.objectNode();
        };
    }

    private static ObjectNode types(String... names) {
        ObjectNode schema = NODES.objectNode();
        for (String name : names) {
            schema.withArray("type").add(name);
        }
        return schema;
    }
}
