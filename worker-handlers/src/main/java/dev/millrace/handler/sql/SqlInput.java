package dev.millrace.handler.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.text.sql.SqlDialect;
import dev.millrace.text.sql.SqlParameter;
import dev.millrace.text.sql.SqlStatement;
import dev.millrace.worker.JobException;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** The input of a job, whose values become parameters of statements. */
final class SqlInput {
    /** Keeps all digits of numbers. */
    static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final int SCALE_MAX = 1_000;

    private final JsonNode values;
    private final SqlDialect dialect;

    /** @param json an object */
    SqlInput(byte[] json, SqlDialect dialect) {
        try {
            this.values = JSON.readTree(json);
        } catch (IOException e) {
            throw SqlErrors.input("The input of the job cannot be read: " + e.getMessage() + ".");
        }
        this.dialect = dialect;
    }

    SqlDialect dialect() {
        return dialect;
    }

    /** The file of the job's database. */
    SqliteFile file() {
        return SqliteFile.of(values);
    }

    /** The server and the account of the job's database. */
    SqlDatabase database() {
        return SqlDatabase.of(values);
    }

    /**
     * Sets the parameters of a statement.
     *
     * @throws JobException if the input lacks one of them
     */
    void bind(SqlStatement statement, PreparedStatement prepared) throws SQLException {
        int index = 0;
        for (SqlParameter parameter : statement.parameters()) {
            index++;
            JsonNode value = value(parameter, statement.line());
            switch (dialect) {
                case POSTGRESQL -> bindForPostgres(prepared, index, parameter, value);
                case MYSQL -> bindForMysql(prepared, index, value);
                case SQLITE -> bindForSqlite(prepared, index, value);
            }
        }
    }

    private JsonNode value(SqlParameter parameter, int line) {
        JsonNode value = values.get(parameter.name());
        if (value != null) {
            return value;
        }
        return parameter
                .defaultValue()
                .map(SqlInput::parsed)
                .orElseThrow(() ->
                        SqlErrors.input("The input lacks \"" + parameter.name() + "\", which the statement in line "
                                + line + " uses: add it to the input of the run or step."));
    }

    /** A default is JSON, a text between single quotes, or a text as it stands. */
    private static JsonNode parsed(String written) {
        if (written.length() >= 2 && written.startsWith("'") && written.endsWith("'")) {
            return TextNode.valueOf(written.substring(1, written.length() - 1).replace("''", "'"));
        }
        try {
            JsonNode read = JSON.readTree(written);
            return read.isMissingNode() ? TextNode.valueOf(written) : read;
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(written);
        }
    }

    /** Sends texts of no type, so that the server chooses the type by the place of the parameter. */
    private static void bindForPostgres(PreparedStatement prepared, int index, SqlParameter parameter, JsonNode value)
            throws SQLException {
        if (value.isNull()) {
            prepared.setNull(index, Types.OTHER);
        } else if (value.isArray() && parameter.type().endsWith("[]")) {
            prepared.setObject(index, arrayLiteral(value), Types.OTHER);
        } else {
            prepared.setObject(index, text(value), Types.OTHER);
        }
    }

    private static String text(JsonNode value) {
        // 1e999999999 without an exponent would be a text of a gigabyte.
        if (value.isBigDecimal() && Math.abs((long) value.decimalValue().scale()) <= SCALE_MAX) {
            return value.decimalValue().toPlainString();
        }
        return value.isTextual() ? value.textValue() : value.toString();
    }

    /** An array as Postgres reads it: {@code {"a","b"}}. */
    private static String arrayLiteral(JsonNode array) {
        List<String> elements = new ArrayList<>();
        for (JsonNode element : array) {
            if (element.isArray()) {
                elements.add(arrayLiteral(element));
            } else if (element.isNull()) {
                elements.add("NULL");
            } else {
                elements.add('"' + text(element).replace("\\", "\\\\").replace("\"", "\\\"") + '"');
            }
        }
        return "{" + String.join(",", elements) + "}";
    }

    private static void bindForMysql(PreparedStatement prepared, int index, JsonNode value) throws SQLException {
        if (value.isNull()) {
            prepared.setNull(index, Types.NULL);
        } else if (value.isBoolean()) {
            prepared.setBoolean(index, value.booleanValue());
        } else if (value.isIntegralNumber() && value.canConvertToLong()) {
            prepared.setLong(index, value.longValue());
        } else if (value.isNumber()) {
            prepared.setBigDecimal(index, value.decimalValue());
        } else {
            prepared.setString(index, text(value));
        }
    }

    /** SQLite has whole numbers of 64 bits, floating-point numbers, and texts. */
    private static void bindForSqlite(PreparedStatement prepared, int index, JsonNode value) throws SQLException {
        if (value.isNull()) {
            prepared.setNull(index, Types.NULL);
        } else if (value.isBoolean()) {
            prepared.setInt(index, value.booleanValue() ? 1 : 0);
        } else if (value.isIntegralNumber() && value.canConvertToLong()) {
            prepared.setLong(index, value.longValue());
        } else if (value.isNumber()) {
            prepared.setDouble(index, value.doubleValue());
        } else {
            prepared.setString(index, text(value));
        }
    }
}
