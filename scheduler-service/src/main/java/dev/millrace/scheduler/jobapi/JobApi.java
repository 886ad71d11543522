package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;
import java.util.Optional;

/** What running jobs may call. A job that has lost its lease is refused, and so is what exceeds a limit. */
final class JobApi {
    private final MutexStore mutexes;
    private final RunDataStore data;

    JobApi(Database database) {
        this.mutexes = new MutexStore(database);
        this.data = new RunDataStore(database);
    }

    /** Takes the mutex, or adds a hold where the job has it. */
    MutexAnswer.Given acquire(Hold hold, Duration ttl) {
        return switch (mutexes.acquire(hold, ttl)) {
            case MutexAnswer.Given given -> given;
            case MutexAnswer.TooManyHolds _ ->
                throw MillraceException.invalid(
                        "name",
                        "\"" + hold.mutex() + "\" (expected: one that the job has taken at most " + MutexStore.HOLDS_MAX
                                + " times without giving it back)");
            case MutexAnswer.LeaseLost _ -> throw leaseLost();
        };
    }

    /** Gives back one hold; false where it was over before. */
    boolean release(Hold hold) {
        return switch (mutexes.release(hold)) {
            case RELEASED -> true;
            case NOT_HELD -> false;
            case LEASE_LOST -> throw leaseLost();
        };
    }

    /** Writes a value of the run's; of several, the last one stays. */
    void set(LeaseCredential lease, String key, Json value) {
        switch (data.set(lease, key, value)) {
            case WRITTEN -> {}
            case FULL ->
                throw MillraceException.invalid(
                        "key",
                        "\"" + key + "\" (expected: one that is there, since the run has " + RunDataStore.KEYS_MAX
                                + " already)");
            case LEASE_LOST -> throw leaseLost();
        }
    }

    /** Reads a value of the run's; empty where nothing was ever written. */
    Optional<Json> get(LeaseCredential lease, String key) {
        return switch (data.get(lease, key)) {
            case RunDataStore.GetAnswer.Found found -> found.value();
            case RunDataStore.GetAnswer.LeaseLost _ -> throw leaseLost();
        };
    }

    private static MillraceException leaseLost() {
        return new MillraceException(
                ErrorCode.LEASE_LOST,
                "The lease is no longer held: the job was given to another worker, was canceled, or has ended.");
    }
}
