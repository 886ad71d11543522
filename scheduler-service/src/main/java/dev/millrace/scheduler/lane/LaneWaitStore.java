package dev.millrace.scheduler.lane;

import static dev.millrace.scheduler.lane.LaneStore.binds;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.WaitInput;
import dev.millrace.scheduler.signal.core.OpenWait;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import dev.millrace.scheduler.signal.core.RunWaits;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads the waits and signals of a run over a lane's connection. What it reads is fenced by the version of the run's flow. */
final class LaneWaitStore {
    private final LaneStore store;

    LaneWaitStore(LaneStore store) {
        this.store = store;
    }

    /** The open waits of a run, the signals that they have and those that are kept. */
    RunWaits load(RunId run) throws DatabaseLost {
        return new RunWaits(openWaits(run), signals(run));
    }

    /** Whether a signal of this request id has come before. */
    boolean hasSignal(RunId run, String requestId) throws DatabaseLost {
        String sql = "select 1 from signal where run_id = ? and request_id = ?";
        return !store.query(sql, binds(run.value(), requestId), _ -> true).isEmpty();
    }

    private List<OpenWait> openWaits(RunId run) throws DatabaseLost {
        String sql = """
                select id, step_key, input from job_queue
                where bucket = ? and run_id = ? and kind = 8 and state = 5 order by id
                """;
        return store.query(
                sql,
                binds(run.bucket().value(), run.value()),
                row -> new OpenWait(
                        new JobId(row.getObject("id", UUID.class)),
                        row.getString("step_key"),
                        WaitInput.read(row.getString("input"))));
    }

    private List<RunWaits.Known> signals(RunId run) throws DatabaseLost {
        String sql = """
                select s.* from signal s
                where s.run_id = ? and (s.wait_id is null
                    or exists (select 1 from job_queue q where q.bucket = s.bucket and q.id = s.wait_id))
                order by s.id
                """;
        return store.query(sql, binds(run.value()), LaneWaitStore::known);
    }

    private static RunWaits.Known known(ResultSet row) throws SQLException {
        String name = row.getString("name");
        RunSignal signal = new RunSignal(
                row.getObject("id", UUID.class),
                name.isEmpty() ? new Address.StepToCome(row.getString("step_key")) : new Address.Name(name),
                SignalKind.ofCode(row.getInt("kind")),
                new Json(row.getString("payload")),
                row.getString("who"),
                row.getString("request_id"));
        return new RunWaits.Known(
                signal,
                Optional.ofNullable(row.getObject("wait_id", UUID.class)).map(JobId::new));
    }
}
