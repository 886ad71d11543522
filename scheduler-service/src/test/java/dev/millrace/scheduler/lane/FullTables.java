package dev.millrace.scheduler.lane;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Tables with the contents of a busy installation, and values with which statements find rows there. The script
 * {@code full-tables.sql} describes the contents.
 */
final class FullTables {
    private static final long FIRST_DAY_MILLIS = 1_767_225_600_000L;
    private static final long DAY_MILLIS = 86_400_000L;

    /** Numbers of two runs in progress. Both have limits, leased jobs and waits. */
    private static final List<Integer> RUNS = List.of(40, 80);

    private static final String NEW_RUNS = "new runs";

    private FullTables() {}

    /** Prepares the empty tables. */
    static void prepare(MigratedDatabase database) {
        database.execute(resource("empty-tables.sql"));
    }

    /** Fills the tables, and leaves Postgres without statistics on their contents. */
    static void fill(MigratedDatabase database) {
        database.execute(resource("full-tables.sql"));
    }

    /**
     * Empties the filled tables, and lets Postgres note that they are empty, as it does by itself within a minute. Of a day's
     * history it notes nothing before the day has some rows.
     */
    static void empty(MigratedDatabase database) {
        database.execute(resource("emptied-tables.sql"));
        database.execute("vacuum analyze " + String.join(", ", tablesThatEmpty(database)));
    }

    private static List<String> tablesThatEmpty(MigratedDatabase database) {
        return database.database().run(dsl -> dsl.fetchValues("""
                select quote_ident(relname) from pg_class
                where relkind = 'r' and relnamespace = 'public'::regnamespace and not relispartition
                """)).stream()
                .map(Object::toString)
                .toList();
    }

    /**
     * Rows that a statement may be given.
     *
     * @param ids ids of the rows; most statements look for ids of one kind of row
     */
    record Rows(String name, List<UUID> ids, List<UUID> runs) {
        /** Values of a column for the rows, as SQL literals without quotes. */
        List<String> values(String column, String type) {
            return switch (type) {
                case "uuid" -> texts(uuids(column));
                case "smallint", "integer", "bigint", "numeric", "double precision" -> numbers(column);
                case "boolean" -> List.of("true", "true");
                case "bytea" -> List.of("\\x" + "00".repeat(32), "\\x" + "01".repeat(32));
                default -> textsOf(column);
            };
        }

        private List<String> textsOf(String column) {
            return switch (column) {
                case "bucket" -> numbers(column);
                case "run_id" -> texts(uuids(column));
                default -> TEXTS.getOrDefault(column, List.of("{}", "{}"));
            };
        }

        private List<UUID> uuids(String column) {
            return switch (column) {
                case "run_id", "to_run", "origin_run_id" -> runs;
                case "session_id" -> List.of(FullTables.id(0, 9_000_040, 0), FullTables.id(0, 9_000_080, 0));
                case "holder" -> List.of(FullTables.id(0, 9_999_999, 0), FullTables.id(0, 9_999_999, 0));
                case "child_run_id" -> List.of(FullTables.id(6, 3_008_040, 0), FullTables.id(6, 3_008_080, 0));
                case "to_id" -> List.of(FullTables.id(6, 8_000_000, 40), FullTables.id(6, 8_000_001, 80));
                case "since" ->
                    runs.stream().map(run -> new RunId(run).jobsSince()).toList();
                default -> ids;
            };
        }

        private List<String> numbers(String column) {
            return switch (column) {
                case "bucket", "from_bucket", "to_bucket", "token", "lease_token" -> texts(RUNS);
                case "version", "expected_version", "is_flow", "held", "delay_millis" -> List.of("0", "0");
                case "claim" -> List.of("1", "2");
                case "status" -> List.of("2", "2");
                // New jobs are leased, because they have a lease. New runs are given to statements that begin waits.
                case "kind" -> name.equals(NEW_RUNS) ? List.of("8", "8") : List.of("1", "1");
                case "state" -> name.equals(NEW_RUNS) ? List.of("5", "5") : List.of("2", "2");
                default -> List.of("1", "1");
            };
        }

        private static List<String> texts(List<?> values) {
            return values.stream().map(Object::toString).toList();
        }
    }

    /**
     * Texts by column. A text for any other column is JSON; a text that is compared with no column is a key of the
     * cache.
     */
    private static final Map<String, List<String>> TEXTS = Map.ofEntries(
            Map.entry("", List.of("00".repeat(32), "01".repeat(32))),
            Map.entry("step_key", List.of("step2", "step3")),
            Map.entry("step_keys", List.of("^step2$", "^step3$")),
            Map.entry("workspace", List.of("workspace0", "workspace0")),
            Map.entry("request_id", List.of("request40-0", "request80-1")),
            Map.entry("limit_key", List.of("limit0", "limit4")),
            Map.entry("admission_queue", List.of("limit0", "limit4")),
            Map.entry("limit_queue", List.of("@limit/queue0", "@limit/queue10")),
            Map.entry("start_within_millis", List.of("1000", "1000")),
            Map.entry("step_input_of", List.of("step2", "step3")),
            Map.entry("starter_credential", List.of(new UUID(1, 1).toString(), new UUID(1, 2).toString())),
            Map.entry("tag", List.of("tag0", "tag1")),
            Map.entry("key", List.of("00".repeat(32), "01".repeat(32))),
            Map.entry("fingerprint", List.of("00", "01")),
            Map.entry("relation", List.of("child_run", "child_run")),
            Map.entry("name", List.of("", "")),
            Map.entry("error_name", List.of("Error", "Error")),
            Map.entry("operation", List.of("pause", "retry")),
            Map.entry("path", List.of("flow40", "flow80")),
            Map.entry("hash", List.of("0".repeat(64), "1".repeat(64))));

    /** Rows of every kind that statements look for. */
    static List<Rows> rows() {
        return List.of(
                new Rows("flows", steps(0), steps(0)),
                new Rows("leased jobs", steps(2), steps(0)),
                new Rows("queued jobs", steps(1), steps(0)),
                new Rows("waits", steps(3), steps(0)),
                new Rows("runs to start", numbered(6, 2_000_000), numbered(6, 2_000_000)),
                new Rows("signals", List.of(id(6, 5_000_160, 40), id(6, 5_000_320, 80)), steps(0)),
                new Rows("groups", List.of(id(6, 7_000_040, 40), id(6, 7_000_080, 80)), steps(0)),
                new Rows("ended runs", numbered(3, 0), numbered(3, 0)),
                new Rows("new jobs", numbered(6, 9_000_000), steps(0)),
                new Rows(NEW_RUNS, numbered(6, 9_000_000), numbered(6, 9_000_000)));
    }

    private static List<UUID> steps(int step) {
        return numbered(6, 1_000_000 + step);
    }

    private static List<UUID> numbered(int day, int first) {
        return RUNS.stream().map(run -> id(day, first + run * 16, run)).toList();
    }

    private static UUID id(int day, long number, int bucket) {
        long millis = FIRST_DAY_MILLIS + day * DAY_MILLIS + number;
        return new UUID(millis << 16 | 0x7000, 0x8000_0000_0000_0000L | number << 10 | bucket);
    }

    private static String resource(String name) {
        try (InputStream stream = requireNonNull(FullTables.class.getResourceAsStream("/lane/" + name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .collect(Collectors.joining("\n"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
