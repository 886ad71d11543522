package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.input.InputSchemas;
import dev.millrace.scheduler.packages.PackageLocks;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.Scripts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The calls that running jobs may make. Rejects jobs that have lost their lease, and calls that exceed a limit. */
final class JobApi {
    private final JobRights rights;
    private final MutexStore mutexes;
    private final RunDataStore data;
    private final JobScriptStore jobScripts;
    private final PackageLocks packageLocks;
    private final Scripts scripts;
    private final InputSchemas schemas;
    private final JobSecrets secrets;

    JobApi(Database database, JobRights rights, Scripts scripts, InputSchemas schemas, JobSecrets secrets) {
        this.rights = rights;
        this.mutexes = new MutexStore(database);
        this.data = new RunDataStore(database);
        this.jobScripts = new JobScriptStore(database);
        this.packageLocks = new PackageLocks(database);
        this.scripts = scripts;
        this.schemas = schemas;
        this.secrets = secrets;
    }

    /** The script that the job runs, with its content. */
    Script script(LeaseCredential lease) {
        JobScriptStore.JobScript job = jobScripts.find(lease).orElseThrow(LeaseCredential::lost);
        return job.hash().flatMap(hash -> scripts.find(job.workspace(), hash)).orElseThrow(() -> noScript(lease));
    }

    /** The versions of packages chosen for the script that the job runs; empty if none were chosen yet. */
    Optional<String> packageLock(LeaseCredential lease, String interpreter) {
        JobScriptStore.JobScript job = jobScripts.find(lease).orElseThrow(LeaseCredential::lost);
        String hash = job.hash().orElseThrow(() -> noScript(lease));
        return packageLocks.find(job.workspace(), hash, interpreter);
    }

    /** Keeps versions of packages for the script that the job runs, and returns those that count. */
    String keepPackageLock(LeaseCredential lease, String interpreter, String lock, List<String> inferred) {
        JobScriptStore.JobScript job = jobScripts.find(lease).orElseThrow(LeaseCredential::lost);
        String hash = job.hash().orElseThrow(() -> noScript(lease));
        String kept = packageLocks.keep(job.workspace(), hash, interpreter, lock, inferred);
        scripts.packagesChosen();
        return kept;
    }

    /** Keeps the schema of the script that the job runs, unless there is one. Returns whether it was kept. */
    boolean keepInputSchema(LeaseCredential lease, Json schema) {
        JobScriptStore.JobScript job = jobScripts.find(lease).orElseThrow(LeaseCredential::lost);
        return schemas.keep(job.workspace(), job.hash().orElseThrow(() -> noScript(lease)), schema);
    }

    private static MillraceException noScript(LeaseCredential lease) {
        return new MillraceException(
                ErrorCode.SCRIPT_NOT_FOUND, "The job " + lease.job() + " runs no script that is stored here.");
    }

    /** Acquires the mutex, or adds a hold if the job already has it. */
    MutexAnswer.Given acquire(Hold hold, Duration ttl) {
        if (hold.isOfWorkspace()) {
            rights.requireWholeWorkspace(hold.lease());
        }
        return switch (mutexes.acquire(hold, ttl)) {
            case MutexAnswer.Given given -> given;
            case MutexAnswer.TooManyHolds _ ->
                throw MillraceException.invalid(
                        "name",
                        "\"" + hold.mutex() + "\" (expected: a mutex that the job holds less than "
                                + MutexStore.HOLDS_MAX + " times)");
            case MutexAnswer.LeaseLost _ -> throw LeaseCredential.lost();
        };
    }

    /** Releases one hold. Returns false if the hold had expired, or was never acquired. */
    boolean release(Hold hold) {
        return switch (mutexes.release(hold)) {
            case RELEASED -> true;
            case NOT_HELD -> false;
            case LEASE_LOST -> throw LeaseCredential.lost();
        };
    }

    /** Writes a value of the run. The last write wins. */
    void set(LeaseCredential lease, String key, Json value) {
        switch (data.set(lease, key, value)) {
            case WRITTEN -> {}
            case FULL ->
                throw MillraceException.invalid(
                        "key",
                        "\"" + key + "\" (expected: an existing key, because the run has " + RunDataStore.KEYS_MAX
                                + " already)");
            case LEASE_LOST -> throw LeaseCredential.lost();
        }
    }

    /** Reads a value of the run; empty if the key was never written. */
    Optional<Json> get(LeaseCredential lease, String key) {
        return switch (data.get(lease, key)) {
            case RunDataStore.GetAnswer.Found found -> found.value();
            case RunDataStore.GetAnswer.LeaseLost _ -> throw LeaseCredential.lost();
        };
    }

    /** Resolves the secrets and resources to which the input of the job refers. */
    JobSecrets.Resolved resolveSecrets(LeaseCredential lease) {
        return secrets.resolve(lease).orElseThrow(LeaseCredential::lost);
    }
}
