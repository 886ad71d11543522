package dev.millrace.e2e.storm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.storm.Kind.Operation;
import dev.millrace.e2e.storm.StormPlan.PlannedRun;
import dev.millrace.e2e.storm.StormPlan.PlannedStrike;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Executes a plan: submits its runs, operates on them, and causes its strikes. Callers without an answer repeat their
 * calls.
 */
final class Storm {
    /**
     * Time of repeating a call after which the missing answer counts as a mistake of Millrace. It begins anew with each
     * strike: on a busy machine, services need longer for their starts than strikes leave them.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final long ASK_AGAIN_NANOS = Duration.ofMillis(200).toNanos();
    private static final int BAD_REQUESTS_FROM = 400;
    private static final int SERVER_FAULTS_FROM = 500;
    private static final int TOO_MANY = 429;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    /** Exit code of a service that cannot reach its database when it starts. */
    private static final int START_FAILED = 7;

    private final StormPlan plan;
    private final Strike.Field field;
    private final Api api;
    private final Path folder;
    private final Map<Submission, String> runIds = new ConcurrentHashMap<>();
    private final Queue<String> mistakes = new ConcurrentLinkedQueue<>();
    private final long begin = System.nanoTime();
    private volatile long lastStrike = begin;

    /**
     * @param run number of the planned run
     * @param part number of its submission, from 0
     */
    record Submission(int run, int part) {}

    Storm(StormPlan plan, Strike.Field field, Api api, Path folder) {
        this.plan = plan;
        this.field = field;
        this.api = api;
        this.folder = folder;
    }

    /** Returns when all submissions and operations are done, the last strike is over, and all processes run. */
    void rage() throws InterruptedException {
        try (ExecutorService people = Executors.newVirtualThreadPerTaskExecutor()) {
            plan.runs().stream()
                    .filter(run -> !run.kind().operation().isBulk())
                    .forEach(run -> IntStream.range(0, run.kind().submissions())
                            .forEach(part -> people.execute(() -> guarded(run.toString(), () -> play(run, part)))));
            Stream.of(Operation.values())
                    .filter(Operation::isBulk)
                    .forEach(operation -> people.execute(() -> guarded(operation.name(), () -> playInBulk(operation))));
            guarded("the strikes", this::strike);
        }
    }

    /** Ids of the accepted runs. */
    Map<Submission, String> runIds() {
        return Map.copyOf(runIds);
    }

    /** Unexpected answers, and services that ended on their own. */
    List<String> mistakes() {
        return List.copyOf(mistakes);
    }

    private void strike() {
        Cluster cluster = field.cluster();
        for (PlannedStrike next : plan.strikes()) {
            pause(next.pauseMillis());
            if (secondsSinceBegin() > plan.duration().toSeconds()) {
                break;
            }
            reviveAll(cluster);
            log(next.strike() + " " + next.target() % Strike.SCHEDULERS + "/"
                    + next.target() / Strike.SCHEDULERS % Strike.WORKERS + " for " + next.lengthMillis() + " ms");
            next.strike().hit(field, next.target(), next.lengthMillis());
            lastStrike = System.nanoTime();
        }
        reviveAll(cluster);
    }

    /** Whether an answer may still come to somebody who has waited since this time. */
    private boolean mayCome(long since) {
        long now = System.nanoTime();
        return Math.min(now - since, now - lastStrike) < PATIENCE.toNanos();
    }

    /** Restarts services that could not reach their database; any other service that ended is a mistake. */
    void reviveAll(Cluster cluster) {
        Stream.of(
                        IntStream.range(0, Strike.SCHEDULERS).mapToObj(cluster::scheduler),
                        IntStream.range(0, Strike.WORKERS).mapToObj(cluster::worker),
                        Stream.of(cluster.gateway()))
                .flatMap(each -> each)
                .filter(process -> !process.isAlive())
                .forEach(this::revive);
    }

    private void revive(ServiceProcess process) {
        int exitCode = process.awaitEnd(PATIENCE);
        if (exitCode != START_FAILED) {
            mistakes.add(process.name() + " ended by itself with exit code " + exitCode);
        }
        process.start();
    }

    private void play(PlannedRun run, int part) {
        String id = submit(run, part);
        pause(run.operationDelayMillis());
        String key = run.kind() + "-" + run.number();
        switch (run.kind().operation()) {
            case NONE -> {}
            case SIGNAL -> insist(key, id, "signal", Map.of("name", "go", "payload", Kind.HANDED_IN), status -> false);
            // A run that has not reached the step does not have it yet.
            case SKIP ->
                insist(key, id, "skip", Map.of("step", "hold", "result", handedIn()), status -> status == NOT_FOUND);
            case PAUSE_AND_RESUME -> {
                // A run that has ended rejects the operation.
                insistUnlessEnded(key, id, "pause");
                pause(run.operationDelayMillis());
                insistUnlessEnded(key, id, "resume");
            }
            case CANCEL -> insistUnlessEnded(key, id, "cancel");
            case RETRY -> {
                awaitState(id, "failed");
                create(needs(run));
                insist(key, id, "retry", Map.of(), status -> false);
            }
            case BULK_SKIP, BULK_CANCEL, BULK_PAUSE_AND_RESUME -> throw new IllegalStateException("not alone");
        }
    }

    /** Operates on half of the runs of this kind amid the storm, and on the others at its end. */
    private void playInBulk(Operation operation) {
        List<PlannedRun> runs = plan.runs().stream()
                .filter(run -> run.kind().operation() == operation)
                .toList();
        for (List<PlannedRun> half :
                List.of(runs.subList(0, runs.size() / 2), runs.subList(runs.size() / 2, runs.size()))) {
            List<String> ids = half.stream().map(run -> submit(run, 0)).toList();
            if (ids.isEmpty()) {
                continue;
            }
            switch (operation) {
                case BULK_SKIP -> inBulk("skip", Map.of("step", "hold", "result", handedIn()), ids, this::goesOnAtHold);
                case BULK_CANCEL -> inBulk("cancel", Map.of(), ids, this::goesOn);
                case BULK_PAUSE_AND_RESUME -> {
                    inBulk("pause", Map.of(), ids, _ -> false);
                    inBulk("resume", Map.of(), ids, id -> run(id).path("paused").asBoolean());
                }
                case NONE, SIGNAL, SKIP, PAUSE_AND_RESUME, CANCEL, RETRY ->
                    throw new IllegalStateException("not in bulk");
            }
        }
    }

    /** Applies the operation to all of these runs, and repeats it for those that are left. */
    private void inBulk(String operation, Map<String, Object> more, List<String> ids, Predicate<String> isLeft) {
        List<String> left = ids;
        long since = System.nanoTime();
        for (int round = 0; !left.isEmpty(); round++) {
            if (!mayCome(since)) {
                throw new IllegalStateException("in " + PATIENCE + " it was not done to " + left);
            }
            var body = new HashMap<String, Object>(more);
            body.put("operation", operation);
            body.put("run_ids", left);
            String key = operation + "-" + left.getFirst() + "-" + round;
            JsonNode bulk = insist(
                    key, () -> api.post("/api/v1/bulk-operations", body, "idempotency-key", key), status -> false);
            String path = "/api/v1/bulk-operations/" + bulk.path("id").asText();
            until(key + " has ended", () -> {
                Answer answer = api.get(path);
                return answer.status() == 200 && answer.body().has("end_time");
            });
            left = left.stream().filter(isLeft).toList();
            if (!left.isEmpty()) {
                LockSupport.parkNanos(ASK_AGAIN_NANOS);
            }
        }
    }

    private boolean goesOn(String id) {
        return !run(id).has("end_time");
    }

    /** Whether the run is in progress and has reached the step {@code hold}; before that, it rejects a skip. */
    private boolean goesOnAtHold(String id) {
        return goesOn(id)
                && insist(id, () -> api.get("/api/v1/runs/" + id + "/steps"), _ -> false)
                        .path("items")
                        .findParents("key")
                        .stream()
                        .noneMatch(step -> step.path("key").asText().equals("hold")
                                && step.path("state").asText().matches("succeeded|skipped"));
    }

    private String submit(PlannedRun run, int part) {
        pause(run.atMillis() + part * run.operationDelayMillis() / run.kind().submissions() - millisSinceBegin());
        var input = new HashMap<>(StormFlows.input(folder, run.value() + part, run.lines(), run.millis()));
        if (run.kind() == Kind.SCRIPT) {
            input.keySet().retainAll(List.of("folder", "value", "lines", "millis"));
        } else if (run.kind() == Kind.DENO) {
            input.keySet().retainAll(List.of("value", "lines", "millis"));
        } else if (run.kind() == Kind.RETRIED) {
            input.put("needs", needs(run).getFileName().toString());
        } else if (run.kind() == Kind.DEBOUNCED) {
            input.put("key", run.number());
            input.put("parts", List.of(part));
        }
        Map<String, Object> body = Map.of("target", run.kind().target(), "input", input);
        String id = insist(
                        "submit " + run,
                        () -> api.post("/api/v1/runs", body, "idempotency-key", "storm-" + run.number() + "-" + part),
                        status -> false)
                .path("id")
                .asText();
        runIds.put(new Submission(run.number(), part), id);
        return id;
    }

    private Path needs(PlannedRun run) {
        return folder.resolve("needs-" + run.number());
    }

    private static Map<String, Object> handedIn() {
        return Map.of("payload", Kind.HANDED_IN);
    }

    private void awaitState(String id, String state) {
        until("run " + id + " is " + state, () -> run(id).path("state").asText().equals(state));
    }

    private JsonNode run(String id) {
        return insist("look at " + id, () -> api.get("/api/v1/runs/" + id), _ -> false);
    }

    private void insist(String key, String id, String verb, Map<String, Object> body, Predicate<Integer> isEarly) {
        insist(
                verb + " " + id,
                () -> api.post("/api/v1/runs/" + id + ":" + verb, body, "idempotency-key", verb + "-" + key),
                isEarly);
    }

    private void insistUnlessEnded(String key, String id, String verb) {
        insist(
                verb + " " + id,
                () -> {
                    Answer answer =
                            api.post("/api/v1/runs/" + id + ":" + verb, Map.of(), "idempotency-key", verb + "-" + key);
                    return answer.status() == CONFLICT ? new Answer(200, answer.headers(), answer.body()) : answer;
                },
                _ -> false);
    }

    /** Repeats a call until it is answered with success. */
    private JsonNode insist(String what, Supplier<Answer> call, Predicate<Integer> isEarly) {
        long since = System.nanoTime();
        String last = "";
        while (mayCome(since)) {
            try {
                Answer answer = call.get();
                last = answer.status() + " " + answer.body();
                if (answer.status() < 300) {
                    return answer.body();
                }
                boolean isRefusal = answer.status() >= BAD_REQUESTS_FROM && answer.status() < SERVER_FAULTS_FROM;
                if (answer.status() == 500) {
                    mistakes.add(what + " was answered " + last);
                }
                if (isRefusal && answer.status() != TOO_MANY && !isEarly.test(answer.status())) {
                    throw new IllegalStateException(what + " was refused: " + last);
                }
            } catch (UncheckedIOException noAnswer) {
                last = noAnswer.toString();
            }
            LockSupport.parkNanos(ASK_AGAIN_NANOS);
        }
        throw new IllegalStateException(what + ": no good answer in " + PATIENCE + ", the last one was " + last);
    }

    private void until(String what, Supplier<Boolean> condition) {
        long since = System.nanoTime();
        while (mayCome(since)) {
            try {
                if (condition.get()) {
                    return;
                }
            } catch (UncheckedIOException noAnswer) {
                // The loop repeats the call.
            }
            LockSupport.parkNanos(ASK_AGAIN_NANOS);
        }
        throw new IllegalStateException("Waited " + PATIENCE + " in vain until " + what + ".");
    }

    private void guarded(String what, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | AssertionError e) {
            mistakes.add(what + ": " + e);
        }
    }

    private static void create(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void log(String line) {
        System.out.printf("storm %6.1f s  %s%n", millisSinceBegin() / 1000.0, line);
    }

    private long secondsSinceBegin() {
        return millisSinceBegin() / 1000;
    }

    private long millisSinceBegin() {
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }

    private static void pause(long millis) {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
