package dev.millrace.handler.sql;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.text.sql.SqlDialect;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * Writes rows as JSON: an array with an object for each row. Numbers keep all their digits, JSON stays JSON, bytes become
 * Base64, times become ISO 8601, and what JSON has no notation for becomes the text that the database shows.
 */
final class SqlRows {
    /** Largest number of rows of a result. A statement that has more fails, rather than to lose the rest. */
    static final int ROWS_MAX = 100_000;

    private final ResultSet rows;
    /** Whether columns have types. In SQLite only values have. */
    private final boolean hasTypes;

    private final List<String> labels = new ArrayList<>();
    private final List<Integer> types = new ArrayList<>();
    private final List<String> typeNames = new ArrayList<>();

    SqlRows(ResultSet rows, SqlDialect dialect) throws SQLException {
        this.rows = rows;
        this.hasTypes = dialect != SqlDialect.SQLITE;
        ResultSetMetaData columns = rows.getMetaData();
        Set<String> seen = new HashSet<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            String label = columns.getColumnLabel(i);
            if (!seen.add(label)) {
                throw SqlErrors.result("Two columns of the result have the name \"" + label
                        + "\": give one of them another name with AS.");
            }
            labels.add(label);
            types.add(columns.getColumnType(i));
            typeNames.add(columns.getColumnTypeName(i).toLowerCase(Locale.ROOT));
        }
    }

    /**
     * Writes all rows that are left.
     *
     * @param used told after each row
     */
    void writeTo(JsonGenerator json, Runnable used) throws SQLException {
        try {
            json.writeStartArray();
            int count = 0;
            while (rows.next()) {
                count++;
                if (count > ROWS_MAX) {
                    throw SqlErrors.result("The result has more than " + ROWS_MAX
                            + " rows: add a LIMIT, or let the statement write its rows into a table.");
                }
                json.writeStartObject();
                for (int i = 0; i < labels.size(); i++) {
                    json.writeFieldName(labels.get(i));
                    writeColumn(json, i);
                }
                json.writeEndObject();
                used.run();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw SqlErrors.result("The rows cannot be written as JSON: " + e.getMessage() + ".");
        }
    }

    private void writeColumn(JsonGenerator json, int column) throws SQLException, IOException {
        int index = column + 1;
        if (!hasTypes) {
            writeValue(json, rows.getObject(index));
            return;
        }
        switch (typeNames.get(column)) {
            case "json", "jsonb" -> {
                String text = rows.getString(index);
                if (text == null) {
                    json.writeNull();
                } else {
                    json.writeTree(SqlInput.JSON.readTree(text));
                }
            }
            case "timestamptz" -> writeTime(json, index, OffsetDateTime.class);
            case "money", "oid", "bit", "varbit" -> writeValue(json, rows.getString(index));
            default -> {
                switch (types.get(column)) {
                    case Types.TIMESTAMP -> writeTime(json, index, LocalDateTime.class);
                    case Types.DATE, Types.TIME, Types.TIME_WITH_TIMEZONE -> writeValue(json, rows.getString(index));
                    default -> writeValue(json, rows.getObject(index));
                }
            }
        }
    }

    /** Writes a time, or the word that stands for none, such as {@code infinity}. */
    private <T> void writeTime(JsonGenerator json, int index, Class<T> type) throws SQLException, IOException {
        String shown = rows.getString(index);
        boolean isWord = shown != null && shown.endsWith("infinity");
        writeValue(json, shown == null || isWord ? shown : String.valueOf(rows.getObject(index, type)));
    }

    private static void writeValue(JsonGenerator json, @Nullable Object value) throws SQLException, IOException {
        switch (value) {
            case null -> json.writeNull();
            case Boolean yes -> json.writeBoolean(yes);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Short number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            case Float number when Float.isFinite(number) -> json.writeNumber(number);
            case Double number when Double.isFinite(number) -> json.writeNumber(number);
            case byte[] bytes -> json.writeString(Base64.getEncoder().encodeToString(bytes));
            case Array array -> writeArray(json, (Object[]) array.getArray(), array.getBaseTypeName());
            default -> json.writeString(value.toString());
        }
    }

    private static void writeArray(JsonGenerator json, @Nullable Object[] elements, String type)
            throws SQLException, IOException {
        json.writeStartArray();
        for (Object element : elements) {
            switch (element) {
                case Object[] inner -> writeArray(json, inner, type);
                case Date time -> json.writeString(time(time, type));
                case null, default -> writeValue(json, element);
            }
        }
        json.writeEndArray();
    }

    /** A time of an array, as columns of this type show it. The driver gives it in the zone of this JVM. */
    @SuppressWarnings("JavaUtilDate")
    private static String time(Date time, String type) {
        if (time.getTime() == PGStatement.DATE_POSITIVE_INFINITY) {
            return "infinity";
        }
        if (time.getTime() == PGStatement.DATE_NEGATIVE_INFINITY) {
            return "-infinity";
        }
        if (time instanceof Timestamp stamp) {
            return type.equals("timestamptz")
                    ? stamp.toInstant().atOffset(ZoneOffset.UTC).toString()
                    : stamp.toLocalDateTime().toString();
        }
        return time.toString();
    }
}
