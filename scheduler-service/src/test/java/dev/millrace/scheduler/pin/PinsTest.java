package dev.millrace.scheduler.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PinsTest {
    private static final Workspace OTHER = Workspace.of("other");
    private static final PageRequest ALL = PageRequest.of(0, "");

    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.migrated();

    @AutoClose
    private final Database database = testDatabase.open();

    private final IdSource ids = new IdSource(System::currentTimeMillis, new Random(1));
    private final Pins pins = new Pins(database, new Runs(database, new StartedJobs()), ids);

    @Test
    void areListedByWorkspace() {
        RunId first = ended();
        RunId second = ended();
        RunId elsewhere = ended(OTHER);
        pins.pin(in(first), note("ada", ""));
        pins.pin(in(second), note("bob", ""));
        pins.pin(new RunRef(OTHER, elsewhere), note("eve", ""));

        assertThat(listed()).containsExactly(second, first);
        PageRequest.Page<PinnedRun> page = pins.list(Workspace.DEFAULT, PageRequest.of(1, ""));
        assertThat(pins.list(Workspace.DEFAULT, PageRequest.of(1, page.nextToken()))
                        .items())
                .singleElement()
                .satisfies(pinned -> {
                    assertThat(pinned.run()).isEqualTo(first);
                    assertThat(pinned.actor()).isEqualTo("ada");
                    assertThat(pinned.reason()).isEqualTo("evidence");
                });
    }

    @Test
    void areOnRecord() {
        RunId run = ended();

        pins.pin(in(run), note("ada", ""));
        pins.unpin(in(run), note("bob", ""));

        assertThat(listed()).isEmpty();
        assertThat(texts("select operation || ' ' || actor from run_operation order by id"))
                .containsExactly("pin ada", "unpin bob");
    }

    @Test
    void areMadeOnceForARequest() {
        RunId run = ended();
        pins.pin(in(run), note("ada", "1"));
        pins.unpin(in(run), note("ada", "2"));

        pins.pin(in(run), note("ada", "1"));

        assertThat(listed()).isEmpty();
        assertThat(texts("select operation from run_operation")).hasSize(2);
    }

    @Test
    void areOfRunsAlone() {
        RunId unknown = ids.nextRun();

        assertThatThrownBy(() -> pins.pin(in(unknown), note("ada", "")))
                .isInstanceOfSatisfying(
                        MillraceException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.RUN_NOT_FOUND));

        assertThat(listed()).isEmpty();
        assertThat(texts("select operation from run_operation")).isEmpty();
    }

    /** If a sweep saw no pin and removed the run, the pin fails. */
    @Test
    void waitForASweepThatDecides() throws Exception {
        RunId run = ended();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> pin = database.transaction(sweep -> {
                sweep.execute("lock table pinned_run in share mode");
                Future<?> waiting = threads.submit(() -> pins.pin(in(run), note("ada", "")));
                while (texts("select mode from pg_locks where not granted and relation = 'pinned_run'::regclass")
                        .isEmpty()) {
                    Thread.onSpinWait();
                }
                sweep.execute("delete from job_history");
                return waiting;
            });

            assertThatThrownBy(pin::get).hasRootCauseInstanceOf(MillraceException.class);
        }
        assertThat(listed()).isEmpty();
    }

    private RunId ended() {
        return ended(Workspace.DEFAULT);
    }

    private RunId ended(Workspace workspace) {
        RunId run = ids.nextRun();
        testDatabase.execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt, created_at, ended_at)
                values (%2$s, '%1$s', '%1$s', '%3$s', 2, 'h', 'h', '', 'handler:h', 1, 1, now(), now())
                """.formatted(run, run.bucket().value(), workspace));
        return run;
    }

    private static RunRef in(RunId run) {
        return new RunRef(Workspace.DEFAULT, run);
    }

    private static OperationNote note(String actor, String requestId) {
        return new OperationNote(actor, "evidence", requestId);
    }

    private List<RunId> listed() {
        return pins.list(Workspace.DEFAULT, ALL).items().stream()
                .map(PinnedRun::run)
                .toList();
    }

    private List<String> texts(String sql) {
        return database.run(dsl -> dsl.fetch(sql).getValues(0, String.class));
    }
}
