package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A lane's statements are planned once, on tables that may still be empty, and keep their plan. Each must look rows up by key then, too: a
 * partial index that covers few rows when the plan is made is tempting to read as a whole, and holds many later.
 */
class StatementPlansTest {
    private static final SchedulerId SCHEDULER = new SchedulerId(new UUID(0, 1));
    private static final Pattern PARAMETER = Pattern.compile("\\?");

    private static TestDatabase testDatabase;
    private static Database database;

    @BeforeAll
    static void create() {
        testDatabase = TestDatabase.migrated();
        database = testDatabase.open();
    }

    @AfterAll
    static void drop() {
        database.close();
        testDatabase.close();
    }

    static Stream<LaneStatement> statements() {
        return Stream.of(
                new AdvanceFlowsStatement(List.of()),
                new BeginGroupsStatement(List.of()),
                new BeginRunsStatement(List.of()),
                new CancelJobsStatement(List.of()),
                new CheckCanceledStatement(List.of()),
                new CheckTurnsStatement(List.of()),
                new ClaimJobsStatement(SCHEDULER, List.of()),
                new EnqueueJobsStatement(SCHEDULER, List.of()),
                new CopyStepsStatement(List.of()),
                new DecideGroupsStatement(List.of()),
                new EndFlowsStatement(List.of()),
                new EndGroupsStatement(List.of()),
                new EndWaitsStatement(List.of()),
                new EraseStepsStatement(List.of()),
                new FailStepsStatement(List.of()),
                new FinishJobsStatement(List.of()),
                new HoldRunsStatement(List.of()),
                new JoinGroupsStatement(List.of()),
                new JoinLinesStatement(List.of()),
                new KeepResultsStatement(List.of()),
                new MarkCachedStatement(List.of()),
                new NoteChildEndsStatement(List.of()),
                new NoteTurnsStatement(List.of()),
                new ParkAgainStatement(List.of()),
                new ParkJobsStatement(List.of()),
                new ParkRunsStatement(List.of()),
                new RaiseAttemptsStatement(List.of()),
                new ReplaceFirstStatement(List.of()),
                new RequeueJobsStatement(List.of()),
                new ReviveRunsStatement(List.of()),
                new SettleChildNotesStatement(List.of()),
                new SkipStepsStatement(List.of()),
                new TakeSignalsStatement(List.of()),
                new WithdrawStepsStatement(List.of()),
                new FlowLoader.Roots(List.of(), Map.of()),
                new FlowLoader.Versions(List.of(), Map.of()),
                new LaneWaitStore.KnownSignals(List.of(), Set.of()));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void looksManyRowsUpByKey(LaneStatement statement) throws SQLException {
        assertLooksUpByKey(plan(statement.sql().ofRows()));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void looksOneRowUpByKey(LaneStatement statement) throws SQLException {
        assertLooksUpByKey(plan(statement.sql().ofOneRow()));
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
                assertThat(plan.get(i + 1))
                        .as("the condition of%n%s%nin%n%s", plan.get(i), String.join("\n", plan))
                        .contains("Index Cond");
            }
        }
    }

    private static List<String> plan(String text) throws SQLException {
        try (Connection connection = database.openForLane("plans");
                Statement sql = connection.createStatement()) {
            sql.execute("prepare statement as " + numbered(text));
            List<String> lines = new ArrayList<>();
            try (ResultSet rows = sql.executeQuery(
                    "explain (costs off) execute statement(" + "null,".repeat(parameters(text) - 1) + "null)")) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
            return lines;
        }
    }

    private static int parameters(String text) {
        return (int) text.chars().filter(character -> character == '?').count();
    }

    /** The parameters of the statement as the protocol names them. */
    private static String numbered(String sql) {
        AtomicInteger count = new AtomicInteger();
        return PARAMETER.matcher(sql).replaceAll(_ -> "\\$" + count.incrementAndGet());
    }
}
