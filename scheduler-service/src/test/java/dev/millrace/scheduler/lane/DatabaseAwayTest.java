package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of a database that answers but is unavailable: it rejects writes, as during a failover, or fails each statement
 * for reasons of its own.
 */
class DatabaseAwayTest {
    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final Wire wire = new Wire(fixture.database);
    private final OneScheduler scheduler = fixture.start(1, wire);

    @Test
    void keepsAResultUntilTheDatabaseTakesChangesAgain() throws Exception {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        Delivery delivery = worker.nextDelivery();

        wire.takeNoChanges(true);
        // Before the lane knows that the database is away: it would refuse the submission then.
        CompletableFuture<SubmitResult> later = submitLater();
        fixture.succeed(scheduler, worker, delivery, "1");
        assertThat(unavailable(later)).contains("it is unknown whether the request was or will be carried out");

        assertThat(worker.hasAck()).isFalse();
        wire.takeNoChanges(false);
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run)).containsExactly("|1|1|1");
        // The submission was carried out in the end. The first run was not delivered again.
        assertThat(worker.nextDelivery().lease().job().run()).isNotEqualTo(run);
        assertThat(worker.hasDelivery()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"25006", "53100", "57P01", "58030", "40P01", "55P03"})
    void triesAgainWhatFailedForNoFaultOfItsOwn(String state) {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        Delivery delivery = worker.nextDelivery();

        failHistory("nextval('failures') < 12", state);
        fixture.succeed(scheduler, worker, delivery, "1");

        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run)).containsExactly("|1|1|1");
        assertThat(worker.hasDelivery()).isFalse();
    }

    @Test
    void acknowledgesNoResultThatItCannotRecord() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId refused = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        Delivery first = worker.nextDelivery();
        failHistory("new.result::text = '13'", "P0001");
        fixture.succeed(scheduler, worker, first, "13");
        // The slot of the rejected job stays taken, so another worker provides one.
        FakeWorker other = scheduler.connect(fixture.ids, 1, "handler:h");
        fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        fixture.succeed(scheduler, other, other.nextDelivery(), "1");
        assertThat(other.nextAck().refusal()).isEmpty();

        assertThat(worker.hasAck()).isFalse();
        fixture.testDatabase.execute("drop trigger fail_history on job_history");

        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(refused)).containsExactly("|1|1|13");
        assertThat(worker.hasDelivery()).isFalse();
    }

    @Test
    void tellsCallersOfThePoolThatAReadOnlyDatabaseIsAway() {
        assertThatThrownBy(() -> fixture.database.run(context ->
                        context.fetch("select set_config('transaction_read_only', 'on', true), (select lo_create(0))")))
                .isInstanceOfSatisfying(
                        MillraceException.class,
                        away -> assertThat(away.code()).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE));
    }

    /** Makes inserts into the history that meet a condition fail with this SQL state. */
    private void failHistory(String condition, String state) {
        fixture.testDatabase.execute("""
                create sequence failures;
                create function fail_history() returns trigger language plpgsql as $$
                begin
                    if %s then
                        raise exception 'made to fail' using errcode = '%s';
                    end if;
                    return new;
                end $$;
                create trigger fail_history before insert on job_history for each row execute function fail_history();
                """.formatted(condition, state));
    }

    private CompletableFuture<SubmitResult> submitLater() {
        NewRun run = fixture.handlerRun("h", "{}", RetryPolicy.NONE);
        return scheduler.lanes().submit(new Submission(Workspace.DEFAULT, Optional.empty(), List.of(run)));
    }

    private static String unavailable(CompletableFuture<SubmitResult> answer) throws Exception {
        try {
            throw new AssertionError("answered: " + answer.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException told) {
            return String.valueOf(told.getCause());
        }
    }

    /** Opens the connections of a lane, to a server that can be made read-only. */
    private static final class Wire implements Callable<Connection> {
        private final Database database;
        private Optional<Connection> open = Optional.empty();
        private boolean readOnly;

        Wire(Database database) {
            this.database = database;
        }

        synchronized void takeNoChanges(boolean refused) throws SQLException {
            readOnly = refused;
            if (open.isPresent() && !open.get().isClosed()) {
                apply(open.get());
            }
        }

        @Override
        public synchronized Connection call() throws SQLException {
            Connection connection = database.openForLane("lane");
            apply(connection);
            open = Optional.of(connection);
            return connection;
        }

        private void apply(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set default_transaction_read_only = " + (readOnly ? "on" : "off"));
            }
        }
    }
}
