package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * All settings of a scheduler.
 *
 * @param lanes number of single writers among which the runs are divided; each has a connection of its own
 */
public record SchedulerConfig(
        GrpcConfig grpc,
        AccessConfig access,
        SecretsConfig secrets,
        DatabaseConfig database,
        int lanes,
        EvaluatorConfig evaluator,
        WorkerConfig worker,
        JobConfig job,
        LimitConfig limit,
        BlobConfig blob,
        AlertConfig alert,
        TriggerConfig trigger,
        RetentionConfig retention) {
    static final int LANES_DEFAULT = 1;
    private static final int LANES_MAX = 64;

    public SchedulerConfig {
        requireNonNull(grpc, "grpc");
        requireNonNull(access, "access");
        requireNonNull(secrets, "secrets");
        requireNonNull(database, "database");
        requireNonNull(evaluator, "evaluator");
        requireNonNull(worker, "worker");
        requireNonNull(job, "job");
        requireNonNull(limit, "limit");
        requireNonNull(blob, "blob");
        requireNonNull(alert, "alert");
        requireNonNull(trigger, "trigger");
        requireNonNull(retention, "retention");
        Expect.that(lanes >= 1 && lanes <= LANES_MAX, "millrace.lanes", lanes, "1 to " + LANES_MAX);
    }

    /** Default settings, with the database at {@code localhost:5432/millrace}. */
    public static SchedulerConfig defaults() {
        return ConfigLoader.load(Map.of(), Optional.empty(), Map.of());
    }

    /**
     * Reads the settings. Flags win over {@code MILLRACE_*} variables, which win over the YAML file.
     *
     * @param flags by key, such as {@code millrace.grpc.port}
     */
    public static SchedulerConfig load(Map<String, String> flags, Optional<Path> yaml) {
        return ConfigLoader.load(flags, yaml, System.getenv());
    }

    public SchedulerConfig withGrpc(GrpcConfig value) {
        return new SchedulerConfig(
                value, access, secrets, database, lanes, evaluator, worker, job, limit, blob, alert, trigger,
                retention);
    }

    /** With this gRPC port; 0 means any free port. */
    public SchedulerConfig withGrpcPort(int port) {
        return withGrpc(grpc.withPort(port));
    }

    public SchedulerConfig withAccess(AccessConfig value) {
        return new SchedulerConfig(
                grpc, value, secrets, database, lanes, evaluator, worker, job, limit, blob, alert, trigger, retention);
    }

    public SchedulerConfig withSecrets(SecretsConfig value) {
        return new SchedulerConfig(
                grpc, access, value, database, lanes, evaluator, worker, job, limit, blob, alert, trigger, retention);
    }

    public SchedulerConfig withDatabase(DatabaseConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, value, lanes, evaluator, worker, job, limit, blob, alert, trigger, retention);
    }

    /** With the database at this URL; see {@link DatabaseLocation#parse}. */
    public SchedulerConfig withDatabaseUrl(String url) {
        return withDatabase(new DatabaseConfig(DatabaseLocation.parse(url), database.poolSize(), database.migrate()));
    }

    public SchedulerConfig withLanes(int value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, value, evaluator, worker, job, limit, blob, alert, trigger, retention);
    }

    public SchedulerConfig withEvaluator(EvaluatorConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, lanes, value, worker, job, limit, blob, alert, trigger, retention);
    }

    public SchedulerConfig withWorker(WorkerConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, lanes, evaluator, value, job, limit, blob, alert, trigger, retention);
    }

    public SchedulerConfig withJob(JobConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, lanes, evaluator, worker, value, limit, blob, alert, trigger,
                retention);
    }

    public SchedulerConfig withLimit(LimitConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, lanes, evaluator, worker, job, value, blob, alert, trigger, retention);
    }

    public SchedulerConfig withBlob(BlobConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, lanes, evaluator, worker, job, limit, value, alert, trigger,
                retention);
    }

    public SchedulerConfig withAlert(AlertConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, lanes, evaluator, worker, job, limit, blob, value, trigger, retention);
    }

    public SchedulerConfig withTrigger(TriggerConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, lanes, evaluator, worker, job, limit, blob, alert, value, retention);
    }

    public SchedulerConfig withRetention(RetentionConfig value) {
        return new SchedulerConfig(
                grpc, access, secrets, database, lanes, evaluator, worker, job, limit, blob, alert, trigger, value);
    }
}
