package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.StoredReads;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.FlowModels;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.queue.JobColumns;
import dev.millrace.scheduler.queue.KeptOptionColumn;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.SlotRef;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/** Reads of a lane about runs and their jobs. Owned by the lane's driver. */
public final class LaneStore {
    /** Columns of a history row that a fold needs. A large result is replaced by its size. */
    static final String FINISHED_COLUMNS = """
            kind, step_key, status, error_name, error_message, error_stack,
            case when pg_column_size(result) <= $max and octet_length(result::text) <= $max then result end as result,
            case when result is null or pg_column_size(result) <= $max and octet_length(result::text) <= $max then 0
                else pg_column_size(result) end as stored_bytes
            """.replace("$max", Integer.toString(FlowLimits.RESULT_HELD_LENGTH_MAX));

    private static final LaneQuery FIND_LEASE =
            new LaneQuery("select * from job_queue where bucket = ? and id = ? and lease_token = ?");

    private static final LaneQuery IS_FINISHED_BY = new LaneQuery(
            "select 1 from job_history where bucket = ? and id = ? and lease_token = ? and status in ({EndStatus.SUCCEEDED}, {EndStatus.FAILED})");

    private static final LaneQuery IS_LIVE =
            new LaneQuery("select 1 from job_queue where bucket = ? and id = ? and id = run_id");

    private static final LaneQuery IS_QUEUED = new LaneQuery("select 1 from job_queue where bucket = ? and id = ?");

    private static final LaneQuery HAS_ENDED =
            new LaneQuery("select 1 from job_history where bucket = ? and id = ? and id = run_id");

    private static final LaneQuery FIND_SUBMISSION = new LaneQuery(
            "select fingerprint, run_ids from submission where workspace = ? and request_id = ? and folder in (?, '/')");

    private static final LaneQuery HELD_BY =
            new LaneQuery("select id from worker_session where id = any (?) and holder = ? and ended_at is null");

    private static final LaneQuery LEASES_OF = new LaneQuery("""
            select q.* from job_queue q
            where q.state = {JobState.LEASED} and q.session_id = any (?)
              and (select s.holder from worker_session s where s.id = q.session_id) = ?
            order by q.order_key, q.id
            """);

    private static final LaneQuery FIND_LIVE = new LaneQuery("""
            select q.*, $options from job_queue q left join run_option o on o.run_id = q.id
            where q.bucket = ? and q.id = ? and q.id = q.run_id
            """.replace("$options", KeptOptionColumn.SELECTED));

    private static final LaneQuery FIND_ENDED = new LaneQuery("""
            select h.*, (extract(epoch from ended_at) * 1000000)::bigint as ended_micros, $options
            from job_history h left join run_option o on o.run_id = h.id
            where h.bucket = ? and h.id = ? and h.id = h.run_id
            """.replace("$options", KeptOptionColumn.SELECTED));

    private static final LaneQuery JOURNAL = new LaneQuery(
            "select id, " + FINISHED_COLUMNS + " from job_history where run_id = ? and id >= ? and step_key <> ''");

    private final LaneConnection db;
    private final FlowModels models;
    private final ResultReader results;
    private final IdSource ids;

    /** @param results reads the large results that {@link #finished} leaves in the database */
    LaneStore(LaneConnection db, FlowModels models, ResultReader results, IdSource ids) {
        this.db = db;
        this.models = models;
        this.results = results;
        this.ids = ids;
    }

    public LaneConnection db() {
        return db;
    }

    IdSource ids() {
        return ids;
    }

    /** The lease with this token; empty if the job does not have it. */
    Optional<LeasedJob> findLease(JobId job, LeaseToken token) throws DatabaseLost {
        return db.first(FIND_LEASE, row -> lease(row, token), job.bucket().value(), job.value(), token.value());
    }

    /** Whether the history has the job with a result of this lease. */
    boolean isFinishedBy(JobId job, LeaseToken token) throws DatabaseLost {
        return db.exists(IS_FINISHED_BY, job.bucket().value(), job.value(), token.value());
    }

    /** Whether the run has not ended. */
    public boolean isLive(RunId run) throws DatabaseLost {
        return db.exists(IS_LIVE, run.bucket().value(), run.value());
    }

    /** Whether the job or wait is in the queue. */
    public boolean isQueued(JobId job) throws DatabaseLost {
        return db.exists(IS_QUEUED, job.bucket().value(), job.value());
    }

    /** Whether the run has ended. */
    public boolean hasEnded(RunId run) throws DatabaseLost {
        return db.exists(HAS_ENDED, run.bucket().value(), run.value());
    }

    /** The result of an earlier submission with the request id of this one; empty if there was none. */
    Optional<SubmitResult> findEarlier(Submission submission) throws DatabaseLost {
        RequestId request = submission.requestId().orElseThrow();
        return db
                .query(
                        FIND_SUBMISSION,
                        row -> {
                            if (!Arrays.equals(row.getBytes("fingerprint"), request.fingerprintBytes())) {
                                return (SubmitResult) new SubmitResult.Conflict();
                            }
                            UUID[] ids = (UUID[]) row.getArray("run_ids").getArray();
                            return new SubmitResult.Duplicate(
                                    Arrays.stream(ids).map(RunId::new).toList());
                        },
                        submission.workspace().name(),
                        request.value(),
                        submission.folder())
                .stream()
                .findFirst();
    }

    /** The sessions among these that this scheduler holds, and that have not ended: see {@link HeldSessionsSql}. */
    Set<SessionId> heldBy(SchedulerId holder, List<SessionId> sessions) throws DatabaseLost {
        return new HashSet<>(db.query(
                HELD_BY, row -> new SessionId(row.getObject("id", UUID.class)), uuids(sessions), holder.value()));
    }

    /** The leases of these sessions in the database, leaving out sessions that another scheduler holds. */
    List<Delivery> leasesOf(SchedulerId holder, List<SessionId> sessions) throws DatabaseLost {
        return db.query(
                LEASES_OF,
                row -> new Delivery(
                        lease(row, new LeaseToken(row.getLong("lease_token"))), new Json(row.getString("input"))),
                uuids(sessions),
                holder.value());
    }

    /**
     * The model of a flow version.
     *
     * @throws ModelNotCompiled if the version has to be compiled first
     */
    public FlowModel model(RunId run, String flowHash) {
        return models.compiled(flowHash).orElseThrow(() -> new ModelNotCompiled(run, () -> models.model(flowHash)));
    }

    /**
     * The run as stored; empty if there is none, or if the id is that of a step. Reads the history first and the queue
     * second, so that a run that a retry moves back is not missed.
     */
    public Optional<StoredRun> findRun(RunId run) throws DatabaseLost {
        Optional<StoredRun> ended = findEnded(run);
        if (ended.isPresent()) {
            return ended;
        }
        return db.first(
                FIND_LIVE,
                row -> new StoredRun(
                        JobColumns.read(row),
                        new Json(row.getString("input")),
                        JobColumns.options(row),
                        Optional.empty(),
                        0),
                run.bucket().value(),
                run.value());
    }

    private Optional<StoredRun> findEnded(RunId run) throws DatabaseLost {
        return db.first(FIND_ENDED, LaneStore::ended, run.bucket().value(), run.value());
    }

    private static StoredRun ended(ResultSet row) throws SQLException {
        KeptOptions options = JobColumns.options(row);
        Outcome end = OutcomeColumns.read(
                EndStatus.ofCode(row.getInt("status")),
                Optional.empty(),
                row.getString("error_name"),
                row.getString("error_message"),
                row.getString("error_stack"));
        return new StoredRun(
                JobColumns.readRoot(row, options),
                new Json(Optional.ofNullable(row.getString("input")).orElse("{}")),
                options,
                Optional.of(end),
                row.getLong("ended_micros"));
    }

    /** The history of a run's steps, including rows that no longer count. */
    public List<FinishedStep> journal(RunId run) throws DatabaseLost {
        return db.query(JOURNAL, this::finished, run.value(), run.jobsSince());
    }

    /** Folds a flow from rows, some of which are read during the fold. */
    public <T> T fold(Supplier<T> fold) throws DatabaseLost {
        try {
            return StoredReads.during(fold);
        } catch (MillraceException failure) {
            if (failure.code() == ErrorCode.DATABASE_UNAVAILABLE) {
                throw new DatabaseLost(failure);
            }
            throw failure;
        }
    }

    /** A step from the {@link #FINISHED_COLUMNS} of a history row. */
    FinishedStep finished(ResultSet row) throws SQLException {
        JobId id = passOver(row);
        int storedBytes = row.getInt("stored_bytes");
        String result = row.getString("result");
        Outcome outcome = OutcomeColumns.read(
                EndStatus.ofCode(row.getInt("status")),
                storedBytes > 0
                        ? Optional.of(Json.stored(new StoredResult(results, id, storedBytes)))
                        : Optional.ofNullable(result).map(Json::new),
                row.getString("error_name"),
                row.getString("error_message"),
                row.getString("error_stack"));
        return new FinishedStep(
                id, JobKind.ofCode(row.getInt("kind")), new StepKey(row.getString("step_key")), outcome);
    }

    /**
     * Makes sure that ids made from now on are greater than the row's id, even if the clock of another scheduler made
     * that id.
     */
    JobId passOver(ResultSet row) throws SQLException {
        JobId id = new JobId(row.getObject("id", UUID.class));
        ids.passOver(id);
        return id;
    }

    private static LeasedJob lease(ResultSet row, LeaseToken token) throws SQLException {
        SlotRef slot = new SlotRef(new SessionId(row.getObject("session_id", UUID.class)), "");
        return new LeasedJob(JobColumns.read(row), slot, token);
    }

    private static UuidArray uuids(List<SessionId> sessions) {
        return new UuidArray(sessions.stream().map(SessionId::value).toArray(UUID[]::new));
    }
}
