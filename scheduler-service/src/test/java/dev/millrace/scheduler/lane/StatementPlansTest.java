package dev.millrace.scheduler.lane;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a lane's statements look rows up by key even if they are planned on empty tables, because they keep their
 * plan. When a partial index covers few rows at the time of planning, Postgres is tempted to read it as a whole, but
 * later it covers many.
 */
class StatementPlansTest {
    private static final Pattern PARAMETER = Pattern.compile("\\?");

    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();

    /** The text of a constant in a class of the scheduler. */
    record Named(String name, String text) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** All sections of flushes and all queries, anywhere in the scheduler. */
    static Stream<Named> texts() {
        return new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.millrace.scheduler")
                        .stream()
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                        .flatMap(field -> textsOf(field.reflect()));
    }

    private static Stream<Named> textsOf(Field field) {
        String name = field.getDeclaringClass().getSimpleName() + "." + field.getName();
        if (field.getType().equals(RowsSql.class)) {
            RowsSql sql = (RowsSql) constant(field);
            return Stream.of(
                    new Named(name + " of rows", sql.ofRows()), new Named(name + " of one row", sql.ofOneRow()));
        }
        return field.getType().equals(LaneQuery.class)
                ? Stream.of(new Named(name, ((LaneQuery) constant(field)).sql()))
                : Stream.empty();
    }

    private static Object constant(Field field) {
        try {
            field.setAccessible(true);
            return requireNonNull(field.get(null));
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void findsThem() {
        assertThat(texts().map(Named::name))
                .contains("ClaimJobsStatement.SQL of one row", "CacheFeature.FIND", "LaneStartStore.IS_NEXT")
                .hasSizeGreaterThan(FlushOrder.values().length * 2);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("texts")
    void looksRowsUpByKey(Named text) throws SQLException {
        assertLooksUpByKey(plan(text.text()));
    }

    private static void assertLooksUpByKey(List<String> plan) {
        assertThat(plan)
                .noneMatch(
                        line -> line.matches(
                                ".*Seq Scan on (job_|worker_group|worker_session|run_origin|run_option|child_note|limited_begin).*"));
        for (int i = 0; i < plan.size(); i++) {
            if (plan.get(i)
                    .matches(
                            ".*(Index Scan|Index Only Scan) (using \\S+ )?on (job_|signal|result_cache|worker_group|worker_session|run_origin|run_option|child_note|limited_begin).*")) {
                assertThat(i + 1 < plan.size() ? plan.get(i + 1) : "")
                        .as("the condition of%n%s%nin%n%s", plan.get(i), String.join("\n", plan))
                        .contains("Index Cond");
            }
        }
    }

    private static List<String> plan(String text) throws SQLException {
        try (Connection connection = DATABASE.openForLane("plans");
                Statement sql = connection.createStatement()) {
            sql.execute("prepare statement as " + numbered(text));
            List<String> lines = new ArrayList<>();
            try (ResultSet rows = sql.executeQuery("explain (costs off) execute statement" + nulls(parameters(text)))) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
            return lines;
        }
    }

    private static String nulls(int count) {
        return count == 0 ? "" : "(" + "null,".repeat(count - 1) + "null)";
    }

    private static int parameters(String text) {
        return (int) text.chars().filter(character -> character == '?').count();
    }

    /** The statement with its parameters numbered as the protocol requires. */
    private static String numbered(String sql) {
        AtomicInteger count = new AtomicInteger();
        return PARAMETER.matcher(sql).replaceAll(_ -> "\\$" + count.incrementAndGet());
    }
}
