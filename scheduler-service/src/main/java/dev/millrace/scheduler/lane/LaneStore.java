package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.database.DatabaseErrors;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.StoredReads;
import dev.millrace.scheduler.flow.core.FinishedStep;
import dev.millrace.scheduler.flow.core.FlowLimits;
import dev.millrace.scheduler.flow.core.FlowModel;
import dev.millrace.scheduler.flow.core.FlowModels;
import dev.millrace.scheduler.flow.core.StepKey;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.Seat;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lane's own connection to the database. A flush sends all its statements in one round trip and one implicit transaction (the
 * extended query protocol commits at the one Sync that ends them). Owned by whoever drives the lane.
 */
final class LaneStore implements AutoCloseable {
    /** Class of SQLSTATE for faults inside Postgres. */
    private static final String INTERNAL_FAULT = "XX";

    /** Of a few kilobytes each; far more than the constructs of flows in use lead to. */
    private static final int TEXTS_REMEMBERED_MAX = 1_000;

    /** Of a row of the history: what a fold needs, with the size of a result instead of it where that is large. */
    static final String FINISHED_COLUMNS = """
            kind, step_key, status, error_name, error_message, error_stack,
            case when pg_column_size(result) <= $max and octet_length(result::text) <= $max then result end as result,
            case when result is null or pg_column_size(result) <= $max and octet_length(result::text) <= $max then 0
                else pg_column_size(result) end as stored_bytes
            """.replace("$max", Integer.toString(FlowLimits.RESULT_HELD_LENGTH_MAX));

    private final Callable<Connection> connections;
    private final FlowModels models;
    private final ResultReader results;
    private final IdSource ids;
    /**
     * The text of each combination of statements that has been sent, by {@link FlushRows#places}. The same object for the same statements: the driver then finds
     * what it has prepared without comparing long texts.
     */
    private final Map<Set<FlushOrder>, String> textsOfRows = bounded();

    private final Map<Set<FlushOrder>, String> textsOfOneRow = bounded();
    /** The same for queries that are read together, by their own texts. */
    private final Map<List<String>, String> textsOfQueries = bounded();

    private @Nullable Connection open;

    private static <K> Map<K, String> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, String> eldest) {
                return size() > TEXTS_REMEMBERED_MAX;
            }
        };
    }

    /** @param results reads what {@link #finished} leaves out */
    LaneStore(Callable<Connection> connections, FlowModels models, ResultReader results, IdSource ids) {
        this.connections = connections;
        this.models = models;
        this.results = results;
        this.ids = ids;
    }

    /** Makes a batch durable. Where each statement has a single row, which is what a flush of one item has, none is wrapped into arrays. */
    void flush(FlushRows rows) throws FlushRefused, DatabaseLost {
        List<LaneStatement> statements = rows.statements();
        if (!statements.isEmpty()) {
            boolean single = haveOneRow(statements);
            Map<Set<FlushOrder>, String> known = single ? textsOfOneRow : textsOfRows;
            execute(
                    known.computeIfAbsent(rows.places(), _ -> String.join(";\n", textsOf(statements, single))),
                    statements,
                    single);
        }
    }

    private void execute(String text, List<LaneStatement> statements, boolean single)
            throws FlushRefused, DatabaseLost {
        try (PreparedStatement prepared = connection().prepareStatement(text)) {
            RowBinder binder = new RowBinder(prepared, single);
            for (LaneStatement statement : statements) {
                statement.bind(binder);
            }
            prepared.execute();
            for (LaneStatement statement : statements) {
                try (ResultSet rows = prepared.getResultSet()) {
                    statement.read(rows);
                }
                prepared.getMoreResults();
            }
        } catch (SQLException failure) {
            if (isConnectionLost(failure)) {
                throw lost(failure);
            }
            throw new FlushRefused(failure);
        }
    }

    private static boolean haveOneRow(List<LaneStatement> statements) {
        for (LaneStatement statement : statements) {
            if (statement.rows() != 1) {
                return false;
            }
        }
        return true;
    }

    private static List<String> textsOf(List<LaneStatement> statements, boolean single) {
        List<String> texts = new ArrayList<>(statements.size());
        for (LaneStatement statement : statements) {
            texts.add(single ? statement.sql().ofOneRow() : statement.sql().ofRows());
        }
        return texts;
    }

    /** Runs queries in one round trip. */
    void read(List<LaneStatement> queries) throws DatabaseLost {
        boolean single = haveOneRow(queries);
        try {
            String text = textsOfQueries.computeIfAbsent(textsOf(queries, single), texts -> String.join(";\n", texts));
            execute(text, queries, single);
        } catch (FlushRefused refused) {
            throw new IllegalStateException("a query of the lane was refused", refused);
        }
    }

    /** Connects anew. Fails also if the server takes no changes, as during a failover. */
    void reconnect() throws DatabaseLost {
        close();
        String sql = "select current_setting('transaction_read_only') = 'on' as read_only";
        if (query(sql, binds(), row -> row.getBoolean("read_only")).getFirst()) {
            throw lost(new SQLException("Postgres takes no changes: it is read-only.", DatabaseErrors.READ_ONLY));
        }
    }

    /** The lease that this token holds. */
    Optional<LeasedJob> findLease(JobId job, LeaseToken token) throws DatabaseLost {
        String sql = "select * from job_queue where bucket = ? and id = ? and lease_token = ?";
        return query(sql, binds(job.bucket().value(), job.value(), token.value()), row -> lease(row, token)).stream()
                .findFirst();
    }

    /** Whether the history has the job with the result of this lease. */
    boolean isFinishedBy(JobId job, LeaseToken token) throws DatabaseLost {
        String sql = "select 1 from job_history where bucket = ? and id = ? and lease_token = ? and status in (1, 2)";
        return !query(sql, binds(job.bucket().value(), job.value(), token.value()), _ -> true)
                .isEmpty();
    }

    /** Whether the operation is on record. */
    boolean hasOperation(RunId run, UUID operation) throws DatabaseLost {
        String sql = "select 1 from run_operation where run_id = ? and id = ?";
        return !query(sql, binds(run.value(), operation), _ -> true).isEmpty();
    }

    /** The operation on a run that a request with this id was for. */
    Optional<String> findOperation(RunId run, String requestId) throws DatabaseLost {
        String sql = "select operation from run_operation where run_id = ? and request_id = ? and request_id <> ''";
        return query(sql, binds(run.value(), requestId), row -> row.getString("operation")).stream()
                .findFirst();
    }

    /** Whether the run is paused; empty where it is not live. */
    Optional<Boolean> findHeld(RunId run) throws DatabaseLost {
        String sql = "select held from job_queue where bucket = ? and id = ? and id = run_id";
        return query(sql, binds(run.bucket().value(), run.value()), row -> row.getBoolean("held")).stream()
                .findFirst();
    }

    /** Whether the run is live. */
    boolean isLive(RunId run) throws DatabaseLost {
        String sql = "select 1 from job_queue where bucket = ? and id = ? and id = run_id";
        return !query(sql, binds(run.bucket().value(), run.value()), _ -> true).isEmpty();
    }

    /** Whether the job or wait is in the queue. */
    boolean isQueued(JobId job) throws DatabaseLost {
        String sql = "select 1 from job_queue where bucket = ? and id = ?";
        return !query(sql, binds(job.bucket().value(), job.value()), _ -> true).isEmpty();
    }

    /** Whether the run has ended. */
    boolean hasEnded(RunId run) throws DatabaseLost {
        String sql = "select 1 from job_history where bucket = ? and id = ? and id = run_id";
        return !query(sql, binds(run.bucket().value(), run.value()), _ -> true).isEmpty();
    }

    /** What an earlier submission of this request id came to. */
    Optional<SubmitResult> findSubmission(String workspace, RequestId request) throws DatabaseLost {
        String sql = "select fingerprint, run_ids from submission where workspace = ? and request_id = ?";
        return query(sql, binds(workspace, request.value()), row -> {
                    if (!Arrays.equals(row.getBytes("fingerprint"), request.fingerprintBytes())) {
                        return (SubmitResult) new SubmitResult.Conflict();
                    }
                    UUID[] ids = (UUID[]) row.getArray("run_ids").getArray();
                    return new SubmitResult.Duplicate(
                            Arrays.stream(ids).map(RunId::new).toList());
                })
                .stream()
                .findFirst();
    }

    /** Those of the sessions that this scheduler holds. */
    Set<SessionId> heldBy(SchedulerId holder, List<SessionId> sessions) throws DatabaseLost {
        String sql = "select id from worker_session where id = any (?) and holder = ?";
        Object[] ids = sessions.stream().map(SessionId::value).toArray();
        return new HashSet<>(query(
                sql,
                statement -> {
                    statement.setArray(1, statement.getConnection().createArrayOf("uuid", ids));
                    statement.setObject(2, holder.value());
                },
                row -> new SessionId(row.getObject("id", UUID.class))));
    }

    /** What the database says these sessions hold, as far as this scheduler holds them. */
    List<Delivery> leasesOf(SchedulerId holder, List<SessionId> sessions) throws DatabaseLost {
        String sql = """
                select q.* from job_queue q
                where q.state = 2 and q.session_id = any (?)
                  and (select s.holder from worker_session s where s.id = q.session_id) = ?
                order by q.order_key, q.id
                """;
        Object[] ids = sessions.stream().map(SessionId::value).toArray();
        return query(
                sql,
                statement -> {
                    statement.setArray(1, statement.getConnection().createArrayOf("uuid", ids));
                    statement.setObject(2, holder.value());
                },
                row -> new Delivery(
                        lease(row, new LeaseToken(row.getLong("lease_token"))), new Json(row.getString("input"))));
    }

    /** The model of a run's flow version. Throws {@link ModelNotCompiled} where that takes time. */
    FlowModel model(RunId run, String flowHash) {
        return models.compiled(flowHash).orElseThrow(() -> new ModelNotCompiled(run, () -> models.model(flowHash)));
    }

    /** The run as it stands; empty where there is none, or where the id is that of a step. It is looked for where it moves to, then where it comes from. */
    Optional<StoredRun> findRun(RunId run) throws DatabaseLost {
        Optional<StoredRun> ended = findEnded(run);
        if (ended.isPresent()) {
            return ended;
        }
        String sql = """
                select q.*, o.env from job_queue q left join run_option o on o.run_id = q.id
                where q.bucket = ? and q.id = ? and q.id = q.run_id
                """;
        return query(
                        sql,
                        binds(run.bucket().value(), run.value()),
                        row -> new StoredRun(
                                JobColumns.read(row), new Json(row.getString("input")), env(row), Optional.empty(), 0))
                .stream()
                .findFirst();
    }

    private Optional<StoredRun> findEnded(RunId run) throws DatabaseLost {
        String sql = """
                select h.*, (extract(epoch from ended_at) * 1000000)::bigint as ended_micros, o.env, o.job_limit
                from job_history h left join run_option o on o.run_id = h.id
                where h.bucket = ? and h.id = ? and h.id = h.run_id
                """;
        return query(
                        sql,
                        binds(run.bucket().value(), run.value()),
                        row -> new StoredRun(
                                JobColumns.readRoot(row),
                                new Json(Optional.ofNullable(row.getString("input"))
                                        .orElse("{}")),
                                env(row),
                                Optional.of(OutcomeColumns.read(
                                        EndStatus.ofCode(row.getInt("status")),
                                        Optional.empty(),
                                        row.getString("error_name"),
                                        row.getString("error_message"),
                                        row.getString("error_stack"))),
                                row.getLong("ended_micros")))
                .stream()
                .findFirst();
    }

    private static Optional<Json> env(ResultSet row) throws SQLException {
        return Optional.ofNullable(row.getString("env")).map(Json::new);
    }

    /** A run that has yet to be started. */
    Optional<WaitingRun> findToStart(RunId run) throws DatabaseLost {
        String sql = "select * from job_queue where bucket = ? and id = ? and state + 0 = 7 and not held";
        return query(
                        sql,
                        binds(run.bucket().value(), run.value()),
                        row -> new WaitingRun(
                                JobColumns.read(row),
                                row.getLong("version"),
                                Optional.ofNullable(row.getString("limit_key"))))
                .stream()
                .findFirst();
    }

    /** Whether as few runs go on under the limit as it allows, and none stands before this one whose time has come. */
    boolean isNext(Turn turn) throws DatabaseLost {
        RunId run = turn.run();
        String sql = """
                select (select count(*) from (select from job_queue where limit_key = ? and state = 4 limit ?) q) < ?
                   and not exists (select 1 from job_queue where limit_key = ? and state = 7 and not held
                       and (run_after is null or run_after <= now()) and (order_key, id) < (?, ?)) as is_next
                """;
        // Where any number may go on, none is counted.
        int counted = turn.runsMax().orElse(0);
        int runsMax = turn.runsMax().orElse(1);
        return query(
                        sql,
                        binds(turn.limitKey(), counted, runsMax, turn.limitKey(), run.orderKey(), run.value()),
                        row -> row.getBoolean("is_next"))
                .getFirst();
    }

    /** How long until one more run may begin under the rate; zero where one may begin now. */
    Duration untilRoom(String limitKey, JobLimit.Rate rate) throws DatabaseLost {
        String sql = """
                select greatest(0, ceil(extract(epoch from begun_at - clock_timestamp()) * 1000 + ?))::int8 as wait_millis
                from limited_begin where limit_key = ? order by begun_at desc offset ? limit 1
                """;
        return query(
                        sql,
                        binds(rate.per().toMillis(), limitKey, rate.count() - 1),
                        row -> Duration.ofMillis(row.getLong("wait_millis")))
                .stream()
                .findFirst()
                .orElse(Duration.ZERO);
    }

    /** Whether the flow's time is over. */
    boolean isOverdue(RunId run) throws DatabaseLost {
        String sql = "select 1 from job_queue where bucket = ? and id = ? and state = 4 and run_after <= now()";
        return !query(sql, binds(run.bucket().value(), run.value()), _ -> true).isEmpty();
    }

    /** The groups of a run's steps that keep to one worker. */
    List<WorkerGroup> groupsOf(RunId run) throws DatabaseLost {
        String sql = "select id, group_key, first_key, session_id from worker_group where bucket = ? and run_id = ?";
        return query(
                sql,
                binds(run.bucket().value(), run.value()),
                row -> new WorkerGroup(
                        row.getObject("id", UUID.class),
                        row.getString("group_key"),
                        row.getString("first_key"),
                        Optional.ofNullable(row.getObject("session_id", UUID.class))
                                .map(SessionId::new)));
    }

    /** Whether the run was started because another one had failed. */
    boolean isFailureFlow(RunId run) throws DatabaseLost {
        String sql = "select 1 from run_origin where run_id = ? and relation = 'failure_flow'";
        return !query(sql, binds(run.value()), _ -> true).isEmpty();
    }

    /** How many runs stand above the run, each of which waits for the one below. */
    int depthOf(RunId run) throws DatabaseLost {
        String sql = "select depth from run_origin where run_id = ?";
        return query(sql, binds(run.value()), row -> row.getInt("depth")).stream()
                .findFirst()
                .orElse(0);
    }

    /** How often the run was retried. */
    int retries(RunId run) throws DatabaseLost {
        String sql = "select 1 from run_operation where run_id = ? and operation = 'retry'";
        return query(sql, binds(run.value()), _ -> true).size();
    }

    /** The history of a run's steps, what counts no more included. */
    List<FinishedStep> journal(RunId run) throws DatabaseLost {
        String sql = "select id, " + FINISHED_COLUMNS + " from job_history where run_id = ? and step_key <> ''";
        return query(sql, binds(run.value()), this::finished);
    }

    /** Folds a flow out of rows, some of which are read only now. */
    <T> T fold(Supplier<T> fold) throws DatabaseLost {
        try {
            return StoredReads.during(fold);
        } catch (MillraceException failure) {
            if (failure.code() == ErrorCode.DATABASE_UNAVAILABLE) {
                throw new DatabaseLost(failure);
            }
            throw failure;
        }
    }

    /** A step out of {@link #FINISHED_COLUMNS} of the history. */
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
                id, StepKinds.of(JobKind.ofCode(row.getInt("kind"))), new StepKey(row.getString("step_key")), outcome);
    }

    /** What is made from now on counts as later than the row, whichever scheduler's clock that has its id from. */
    JobId passOver(ResultSet row) throws SQLException {
        JobId id = new JobId(row.getObject("id", UUID.class));
        ids.passOver(id);
        return id;
    }

    private static LeasedJob lease(ResultSet row, LeaseToken token) throws SQLException {
        Seat seat = new Seat(new SessionId(row.getObject("session_id", UUID.class)), "");
        return new LeasedJob(JobColumns.read(row), seat, token);
    }

    interface Binds {
        void on(PreparedStatement statement) throws SQLException;
    }

    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    static Binds binds(Object... values) {
        return statement -> {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
        };
    }

    <T> List<T> query(String sql, Binds binds, RowReader<T> reader) throws DatabaseLost {
        try (PreparedStatement statement = connection().prepareStatement(sql)) {
            binds.on(statement);
            try (ResultSet rows = statement.executeQuery()) {
                List<T> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(reader.read(rows));
                }
                return read;
            }
        } catch (SQLException failure) {
            throw lost(failure);
        }
    }

    private Connection connection() throws DatabaseLost {
        if (open == null) {
            try {
                open = connections.call();
            } catch (Exception failure) {
                throw new DatabaseLost(failure);
            }
        }
        return open;
    }

    private DatabaseLost lost(SQLException failure) {
        close();
        return new DatabaseLost(failure);
    }

    /** Whether the connection or the server is to blame, and not a statement. What the driver throws without a state is about the connection. */
    private static boolean isConnectionLost(SQLException failure) {
        String state = failure.getSQLState();
        return state == null || state.startsWith(INTERNAL_FAULT) || DatabaseErrors.isUnavailable(state);
    }

    @Override
    public void close() {
        Connection closing = open;
        open = null;
        if (closing != null) {
            try {
                closing.close();
            } catch (SQLException alreadyBroken) {
                // Nothing is left to save: whatever was under way is found in the database again.
            }
        }
    }
}
