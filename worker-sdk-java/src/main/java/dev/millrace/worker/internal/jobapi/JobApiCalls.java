package dev.millrace.worker.internal.jobapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.worker.internal.secret.Masks;
import dev.millrace.worker.internal.session.LeasedJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Dispatches the calls of the process protocol by their method. */
public final class JobApiCalls {
    /** Arguments that the calls mask or look at themselves. */
    private static final Set<String> GUARDED = Set.of("key", "name", "value", "input", "reason", "media_type");

    private JobApiCalls() {}

    /**
     * Performs a call of a process. An invalid call is answered with an error.
     *
     * @param folder temporary folder of the process, where the files of blobs are
     */
    public static CompletableFuture<JobApiAnswer> perform(
            JobApiClient scheduler, LeasedJob job, Path folder, String method, JsonNode arguments) {
        Optional<String> leak = leak(job.masks(), arguments);
        if (leak.isPresent()) {
            return failed("The argument " + leak.get() + " of the call " + method
                    + " contains a secret that this process has read"
                    + " or written, and the scheduler shows it as it is: in lists, metrics and the audit log. Use a name"
                    + " without secrets.");
        }
        try {
            return switch (method) {
                case "lock.acquire" -> scheduler.acquire(job, wish(arguments));
                case "lock.release" -> scheduler.release(job, wish(arguments));
                case "data.set" ->
                    scheduler.setData(
                            job,
                            arguments.path("key").asText(),
                            arguments.path("value").toString());
                case "data.get" -> scheduler.getData(job, arguments.path("key").asText());
                case "secret.get", "secret.set", "resource.get", "resource.set", "state.get", "state.set" ->
                    value(scheduler.values(), job, method, arguments);
                case "run.start", "run.await", "run.get", "run.cancel", "wait.sign" ->
                    run(scheduler.runs(), job, method, arguments);
                case "blob.save" ->
                    scheduler
                            .blobs()
                            .save(
                                    job,
                                    folder,
                                    arguments.path("file").asText(),
                                    arguments.path("media_type").asText());
                case "blob.load" ->
                    scheduler
                            .blobs()
                            .load(
                                    job,
                                    folder,
                                    arguments.path("file").asText(),
                                    arguments.path("id").asText());
                default -> failed("This worker has no call named \"" + method + "\".");
            };
        } catch (IllegalArgumentException e) {
            return failed("The call " + method + " has invalid arguments: " + e.getMessage());
        }
    }

    /**
     * The name of an argument with a secret in it. Paths, tags, ids and names of people must arrive as they are to mean
     * something, so they are not masked.
     */
    private static Optional<String> leak(Masks masks, JsonNode arguments) {
        return masks.isEmpty()
                ? Optional.empty()
                : arguments.properties().stream()
                        .filter(argument -> !GUARDED.contains(argument.getKey()))
                        .filter(argument -> {
                            String json = argument.getValue().toString();
                            return !masks.json(json).equals(json);
                        })
                        .map(Map.Entry::getKey)
                        .findFirst();
    }

    private static CompletableFuture<JobApiAnswer> value(
            JobValues values, LeasedJob job, String method, JsonNode arguments) {
        String path = arguments.path("path").asText();
        return switch (method) {
            case "secret.get" -> values.readSecret(job, path);
            case "secret.set" ->
                values.writeSecret(job, path, arguments.path("value").asText());
            case "resource.get" -> values.readResource(job, path);
            case "resource.set" ->
                values.writeResource(
                        job,
                        path,
                        arguments.path("resource_type").asText(),
                        arguments.path("value").toString());
            case "state.get" -> values.readState(job, path);
            default -> values.writeState(job, path, arguments.path("value").toString());
        };
    }

    private static CompletableFuture<JobApiAnswer> run(JobRuns runs, LeasedJob job, String method, JsonNode arguments) {
        String run = arguments.path("run_id").asText();
        return switch (method) {
            case "run.start" -> runs.start(job, arguments);
            case "run.await" -> runs.await(job, run, arguments.path("wait_ms").asLong());
            case "run.get" -> runs.read(job, run);
            case "run.cancel" -> runs.cancel(job, run, arguments.path("reason").asText());
            default -> runs.signLinks(job, arguments);
        };
    }

    private static LockWish wish(JsonNode arguments) {
        return new LockWish(
                arguments.path("name").asText(),
                Duration.ofMillis(arguments.path("ttl_ms").asLong()),
                Duration.ofMillis(arguments.path("wait_ms").asLong()),
                UUID.fromString(arguments.path("hold").asText()));
    }

    private static CompletableFuture<JobApiAnswer> failed(String message) {
        return CompletableFuture.completedFuture(new JobApiAnswer.Failed(JobApiAnswer.Failed.INVALID_CALL, message));
    }
}
