package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.cache.UncachedRunStore;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.resource.core.ResourceValue;
import dev.millrace.scheduler.secret.Secrets;
import dev.millrace.scheduler.secret.core.SecretValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Secrets, resources and states that running jobs read and write, each with the rights of whoever started its run. */
final class JobValues {
    private static final String REFERENCE = "${{";

    private final JobRights rights;
    private final UncachedRunStore uncachedRuns;
    private final JobStateStore states;
    private final Secrets secrets;
    private final Resources resources;

    JobValues(Database database, JobRights rights, Secrets secrets, Resources resources) {
        this.rights = rights;
        this.uncachedRuns = new UncachedRunStore(database);
        this.states = new JobStateStore(database);
        this.secrets = secrets;
        this.resources = resources;
    }

    /**
     * A value for a job.
     *
     * @param secrets what is to be masked of it
     */
    record Read(JsonValue value, Set<SecretValue> secrets) {
        Read {
            secrets = Set.copyOf(secrets);
        }
    }

    String secret(LeaseCredential lease, String path) {
        JobSubject job = rights.load(lease);
        requireReadable(job, path);
        uncachedRuns.add(job.workspace(), job.run());
        return secrets.value(job.workspace(), path).text();
    }

    void setSecret(LeaseCredential lease, String path, SecretValue value) {
        JobSubject job = rights.load(lease);
        Access by = requireWritable(job, path);
        LeaseFence.during(lease, () -> secrets.setValue(job.workspace(), path, value, by));
    }

    Read resource(LeaseCredential lease, String path) {
        JobSubject job = rights.load(lease);
        requireReadable(job, path);
        uncachedRuns.add(job.workspace(), job.run());
        ResourceValue stored = resources.value(job.workspace(), path);
        Map<String, SecretValue> known = secrets.resolve(job.workspace(), stored.secrets());
        InputRoom room = new InputRoom();
        JsonValue value = stored.resolve(secret -> {
            String text = Objects.requireNonNull(known.get(secret), secret).text();
            room.take(text.length());
            return text;
        });
        return new Read(value, Set.copyOf(known.values()));
    }

    /** Writes a resource whose texts are literal. */
    void setResource(LeaseCredential lease, String path, String type, Json value) {
        JobSubject job = rights.load(lease);
        Access by = requireWritable(job, path);
        JsonValue given = JsonValue.of(value);
        JsonValue literal = escaped(given);
        boolean isSame = ResourceValue.read(literal) instanceof ResourceValue.Reading.Read(ResourceValue read)
                && read.secrets().isEmpty()
                && read.resolve(_ -> "").toString().equals(given.toString());
        if (!isSame) {
            throw MillraceException.invalid(
                    "value", "has a text with ${{ that cannot be kept as it is: write it without these characters");
        }
        LeaseFence.during(
                lease, () -> resources.rewrite(job.workspace(), path, type, new Json(literal.toString()), by));
    }

    Optional<Json> state(LeaseCredential lease, String path) {
        JobSubject job = rights.load(lease);
        String statePath = statePath(job, path);
        if (!statePath.equals(job.statePath())) {
            uncachedRuns.add(job.workspace(), job.run());
        }
        return states.read(job.workspace(), statePath);
    }

    void setState(LeaseCredential lease, String path, Json value) {
        JobSubject job = rights.load(lease);
        switch (states.write(lease, statePath(job, path), value)) {
            case WRITTEN -> {}
            case FULL ->
                throw new MillraceException(
                        ErrorCode.TOO_MANY,
                        "Workspace " + job.workspace() + " has " + JobStateStore.STATES_MAX
                                + " states of scripts, as many as it may have: let scripts share states.");
            case LEASE_LOST -> throw LeaseCredential.lost();
        }
    }

    private String statePath(JobSubject job, String path) {
        if (!path.isEmpty() && !path.equals(job.statePath())) {
            requireWritable(job, path);
            return path;
        }
        return job.statePath();
    }

    /**
     * Fails unless the job may read what has this path. What has no folder is for all flows of the workspace, so a
     * developer of one folder may read it.
     */
    private void requireReadable(JobSubject job, String path) {
        Access by = rights.of(job);
        boolean isForAll =
                Folder.of(path).equals(Folder.NONE) && by.rights().allowsAnyFolder(Role.DEVELOPER, job.workspace());
        if (!isForAll) {
            by.require(Role.DEVELOPER, job.workspace(), path);
        }
    }

    /** Fails unless the job may write what has this path. */
    private Access requireWritable(JobSubject job, String path) {
        Access by = rights.of(job);
        by.require(Role.DEVELOPER, job.workspace(), path);
        return by;
    }

    /** Marks the beginnings of references in all texts of a value, so that they stay texts. */
    private static JsonValue escaped(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                value.members().forEach((name, member) -> members.put(name, escaped(member)));
                yield JsonValue.ofMembers(members);
            }
            case ARRAY ->
                JsonValue.of(value.elements().stream()
                        .map(element -> escaped(element).toString())
                        .collect(Collectors.joining(",", "[", "]")));
            case STRING -> JsonValue.ofString(value.string().replace(REFERENCE, "$" + REFERENCE));
            case NUMBER, BOOLEAN, NULL -> value;
        };
    }
}
