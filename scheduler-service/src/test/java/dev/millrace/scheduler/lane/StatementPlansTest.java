package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the plans of a lane's statements. A statement is planned once, on tables that may still be empty, and keeps its
 * plan. Each plan must look up rows by key. On empty tables, Postgres may choose to read a whole partial index, which
 * holds many rows later, or every row of a table of which it has noted that it is empty. Therefore, each statement is
 * executed on full tables with four plans: one made on new tables, one made on tables that were emptied, one made on full
 * tables, and one made for its values.
 */
class StatementPlansTest {
    /** Maximum number of rows that one scan may read for two rows of a statement, whose runs have a dozen rows each. */
    private static final int ROWS_MAX = 300;

    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();
    private static final List<LaneText> TEXTS = LaneText.all().toList();

    /** The defects of plans that were made on new tables. */
    private static final Map<LaneText, Collection<String>> PLANNED_NEW = new HashMap<>();

    /** The defects of plans that were made on tables that had become empty. */
    private static final Map<LaneText, Collection<String>> PLANNED_EMPTIED = new HashMap<>();

    @SuppressWarnings("NullAway.Init")
    private static PreparedTexts plannedFull;

    @SuppressWarnings("NullAway.Init")
    private static PreparedTexts plannedForValues;

    static Stream<LaneText> texts() {
        return TEXTS.stream();
    }

    @BeforeAll
    static void fillTables() throws SQLException {
        FullTables.prepare(POSTGRES);
        noteTroubles("planned new", PLANNED_NEW);
        FullTables.empty(POSTGRES);
        noteTroubles("planned emptied", PLANNED_EMPTIED);
        POSTGRES.execute("analyze");
        plannedFull = new PreparedTexts(DATABASE.openForLane("planned full"), TEXTS);
        plannedForValues = new PreparedTexts(DATABASE.openForLane("planned for values"), TEXTS);
        plannedForValues.planForValues();
    }

    /** Plans on the tables as they are, and executes once they are full. */
    private static void noteTroubles(String name, Map<LaneText, Collection<String>> found) throws SQLException {
        try (PreparedTexts planned = new PreparedTexts(DATABASE.openForLane(name), TEXTS)) {
            FullTables.fill(POSTGRES);
            for (LaneText text : TEXTS) {
                found.put(text, troubles(planned, text));
            }
        }
    }

    @AfterAll
    static void close() throws SQLException {
        plannedFull.close();
        plannedForValues.close();
    }

    @Test
    void findsThem() {
        assertThat(TEXTS.stream().map(LaneText::name))
                .contains("ClaimJobsStatement.SQL of one row", "CacheFeature.FIND", "LaneStartStore.IS_NEXT")
                .hasSizeGreaterThan(FlushOrder.values().length * 2);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("texts")
    void looksRowsUpByKeyIfPlannedOnNewTables(LaneText text) {
        assertThat(PLANNED_NEW.get(text)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("texts")
    void looksRowsUpByKeyIfPlannedOnEmptiedTables(LaneText text) {
        assertThat(PLANNED_EMPTIED.get(text)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("texts")
    void looksRowsUpByKeyIfPlannedOnFullTables(LaneText text) throws SQLException {
        assertThat(troubles(plannedFull, text)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("texts")
    void looksRowsUpByKeyIfPlannedForItsValues(LaneText text) throws SQLException {
        assertThat(troubles(plannedForValues, text)).isEmpty();
    }

    /** A run's rows belong to its own day and later days, so earlier partitions of the history are not read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Journals.SQL of rows",
                "Journals.SQL of one row",
                "LaneStore.JOURNAL",
                "EraseStepsStatement.SQL of rows",
                "EraseStepsStatement.SQL of one row"
            })
    void skipsDaysBeforeTheRun(String name) throws SQLException {
        LaneText text =
                texts().filter(found -> found.name().equals(name)).findAny().orElseThrow();

        QueryPlan plan = plannedFull.explain(text, FullTables.rows().getFirst()).orElseThrow();

        // The day of the run; the day before, because the run began less than an hour after midnight; and the default
        // partition.
        assertThat(plan.scansOf("job_history")).isBetween(1L, 3L);
    }

    private static Collection<String> troubles(PreparedTexts prepared, LaneText text) throws SQLException {
        Set<String> troubles = new LinkedHashSet<>();
        boolean executed = false;
        for (FullTables.Rows rows : FullTables.rows()) {
            Optional<QueryPlan> plan = prepared.explain(text, rows);
            executed |= plan.isPresent();
            plan.ifPresent(found -> troubles.addAll(found.troubles(ROWS_MAX)));
        }
        return executed
                ? troubles
                : List.of("FullTables has no rows with which it can be executed: " + prepared.lastRefusal());
    }
}
