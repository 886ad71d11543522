package dev.millrace.scheduler.lane;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Texts that are prepared on one connection, as a lane prepares them, so that they keep their plans. */
final class PreparedTexts implements AutoCloseable {
    /**
     * Classes of the SQL states for the values that the test invents: invalid values, and rows that contradict other
     * rows.
     */
    private static final List<String> BAD_VALUES = List.of("22", "23");

    private final Connection connection;
    private final Map<LaneText, String> names = new HashMap<>();
    private final Map<LaneText, List<String>> types = new HashMap<>();

    private String lastRefusal = "";

    PreparedTexts(Connection connection, List<LaneText> texts) throws SQLException {
        this.connection = connection;
        for (LaneText text : texts) {
            String name = "text" + names.size();
            names.put(text, name);
            execute("prepare " + name + " as " + text.numbered());
            types.put(text, typesOf(name));
            first("explain execute " + name + arguments(text, FullTables.rows().getFirst()));
        }
    }

    private List<String> typesOf(String name) throws SQLException {
        String array = first(
                "select array_to_string(parameter_types, ',') from pg_prepared_statements where name = '" + name + "'");
        return array.isEmpty() ? List.of() : Arrays.asList(array.split(","));
    }

    /** Makes Postgres plan each text for its actual values, instead of once for all values. */
    void planForValues() throws SQLException {
        execute("set plan_cache_mode = force_custom_plan");
    }

    /** Executes the text and rolls back its changes. Returns the plan; empty if such rows cannot be written. */
    Optional<QueryPlan> explain(LaneText text, FullTables.Rows rows) throws SQLException {
        connection.setAutoCommit(false);
        try {
            return Optional.of(QueryPlan.parse(first("explain (analyze, costs off, timing off, format json) execute "
                    + names.get(text) + arguments(text, rows))));
        } catch (SQLException failure) {
            if (BAD_VALUES.contains(failure.getSQLState().substring(0, 2))) {
                lastRefusal = failure.toString();
                return Optional.empty();
            }
            throw failure;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** The last message with which the database rejected values. */
    String lastRefusal() {
        return lastRefusal;
    }

    private String arguments(LaneText text, FullTables.Rows rows) {
        List<String> parameters = text.parameters();
        List<String> typed = requireNonNull(types.get(text));
        List<String> values = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            String type = typed.get(i);
            List<String> two = rows.values(parameters.get(i), type.replace("[]", ""));
            String value = type.endsWith("[]")
                    ? "{\"" + String.join("\",\"", two).replace("\\", "\\\\") + "\"}"
                    : two.getFirst();
            values.add("'" + value + "'::" + type);
        }
        return values.isEmpty() ? "" : "(" + String.join(", ", values) + ")";
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String first(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            String value = rows.getString(1);
            return value == null ? "" : value;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
