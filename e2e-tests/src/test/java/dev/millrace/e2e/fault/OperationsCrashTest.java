package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Seed;
import dev.millrace.harness.ClusterPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the scheduler with SIGKILL amid operations on many runs. Each operation answered with success has happened once
 * and is recorded; the others can be repeated under the same key. Every run ends, and so do the runs that it waits for.
 */
@Tag("nightly")
final class OperationsCrashTest {
    private static final int RUNS_EACH = 8;
    private static final int CALLERS = 4;
    private static final RandomGenerator RANDOM = Seed.random("OperationsCrashTest");

    private static Installation installation;

    @BeforeAll
    static void start() {
        installation = Installation.start("operations-crash", ClusterPlan.small());
        Api api = installation.api();
        Map<String, String> files = Map.of("quick.py", "def main():\n    return 1\n", "needs.py", """
                import os

                def main(file: str):
                    if not os.path.exists(file):
                        raise ValueError("there is no file yet")
                    return "found"
                """);
        api.deployFlow("""
                millrace: v1
                name: crash/waits-for-signal
                steps:
                  - {id: first, script: quick.py}
                  - {id: hold, wait: {signal: go}}
                  - {id: last, script: quick.py}
                """, files);
        api.deployFlow("""
                millrace: v1
                name: crash/short
                steps:
                  - {id: first, script: quick.py}
                  - {id: pause, wait: {for: 200ms}}
                  - {id: last, script: quick.py}
                """, files);
        api.deployFlow("""
                millrace: v1
                name: crash/calls
                inputs: {flow: {type: string}}
                steps:
                  - {id: call, flow: "${{ inputs.flow }}", as: run}
                """, files);
        api.deployFlow("""
                millrace: v1
                name: crash/needs-file
                inputs: {file: {type: string}}
                steps:
                  - {id: first, script: quick.py}
                  - {id: second, script: needs.py, input: {file: "${{ inputs.file }}"}}
                """, files);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @RepeatedTest(2)
    void everyOperationHasHappenedOrItsCallerWasToldOtherwise(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("file");
        List<String> toPause = submitWaiting();
        List<String> toResume = submitWaiting();
        List<String> toCancel = submitWaiting();
        List<String> toSignal = submitWaiting();
        List<String> toRetry = submitFailing(file);
        toResume.forEach(run -> perform(new Operation(run, "pause", Map.of())).requireDone());
        Files.createFile(file);
        List<String> toRerun = submitSucceeding(file);
        List<String> toCall = submitCalling("crash/short");
        List<String> toCancelBelow = submitCalling("crash/waits-for-signal");
        var operations = new ArrayList<Operation>();
        toPause.forEach(run -> operations.add(new Operation(run, "pause", Map.of())));
        toResume.forEach(run -> operations.add(new Operation(run, "resume", Map.of())));
        toCancel.forEach(run -> operations.add(new Operation(run, "cancel", Map.of())));
        toCancelBelow.forEach(run -> operations.add(new Operation(run, "cancel", Map.of())));
        toRetry.forEach(run -> operations.add(new Operation(run, "retry", Map.of())));
        toRerun.forEach(run -> operations.add(new Operation(run, "rerun", Map.of("step", "second"))));
        toSignal.forEach(run -> operations.add(new Operation(run, "signal", Map.of("name", "go"))));
        Collections.shuffle(operations, new Random(RANDOM.nextLong()));

        List<Told> told = performAllWhileTheSchedulerDies(operations);
        for (Told each : told) {
            assertOnRecord(each.operation, each.isDone() ? 1 : 0, 1);
        }
        installation.api().awaitReady();
        for (Told each : told) {
            askAgain(each);
            assertOnRecord(each.operation, 1, 1);
        }

        toPause.forEach(
                run -> assertThat(installation.api().run(run).path("paused").asBoolean())
                        .as("run %s is paused", run)
                        .isTrue());
        toPause.forEach(run -> perform(new Operation(run, "resume", Map.of())).requireDone());
        for (List<String> runs : List.of(toPause, toResume)) {
            runs.forEach(run ->
                    perform(new Operation(run, "signal", Map.of("name", "go"))).requireDone());
        }
        for (List<String> runs : List.of(
                toPause, toResume, toSignal, toRetry, toRerun, startedAfter(toRerun), toCall, startedAfter(toCall))) {
            assertAllEnd("succeeded", runs);
        }
        for (List<String> runs : List.of(toCancel, toCancelBelow, startedAfter(toCancelBelow))) {
            assertAllEnd("canceled", runs);
        }
    }

    /** An operation on a run; the run and the verb are its key. */
    private record Operation(String run, String verb, Map<String, Object> body) {
        String key() {
            return verb + " " + run;
        }
    }

    /** @param status status of the answer; 0 if there was none */
    private record Told(Operation operation, int status, String answer) {
        boolean isDone() {
            return status >= 200 && status < 300;
        }

        void requireDone() {
            assertThat(isDone())
                    .as("%s was answered %s: %s", operation, status, answer)
                    .isTrue();
        }
    }

    private static List<Told> performAllWhileTheSchedulerDies(List<Operation> operations) throws Exception {
        var enough = new CountDownLatch(1 + RANDOM.nextInt(operations.size()));
        var scheduler = installation.cluster().scheduler(0);
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            var answers = operations.stream()
                    .map(operation -> callers.submit(() -> {
                        enough.countDown();
                        return perform(operation);
                    }))
                    .toList();
            enough.await();
            scheduler.kill();
            scheduler.start();
            var told = new ArrayList<Told>();
            for (var answer : answers) {
                told.add(answer.get());
            }
            return told;
        }
    }

    /**
     * Repeats an operation that was not answered with success, under the same key. A cancel has no key: the run may
     * have ended by it.
     */
    private static void askAgain(Told told) {
        if (told.operation.verb.equals("cancel")) {
            if (!told.isDone()) {
                assertThat(perform(told.operation).status).isIn(200, 409);
            }
        } else {
            perform(told.operation).requireDone();
        }
    }

    private static Told perform(Operation operation) {
        try {
            var answer = installation
                    .api()
                    .post(
                            "/api/v1/runs/" + operation.run + ":" + operation.verb,
                            operation.body,
                            "idempotency-key",
                            operation.key());
            return new Told(operation, answer.status(), answer.body().toString());
        } catch (UncheckedIOException broken) {
            return new Told(operation, 0, broken.toString());
        }
    }

    /**
     * Checks how often the operation is recorded. Signals and cancels leave no such record; the test checks their
     * effect at the end.
     */
    private static void assertOnRecord(Operation operation, int least, int most) throws SQLException {
        if (operation.verb.equals("signal") || operation.verb.equals("cancel")) {
            return;
        }
        try (var connection = installation.postgres().connect();
                var count = connection.prepareStatement(
                        "select count(*) from run_operation where run_id = ? and request_id = ?")) {
            count.setObject(1, UUID.fromString(operation.run));
            count.setString(2, operation.key());
            try (var rows = count.executeQuery()) {
                rows.next();
                assertThat(rows.getInt(1)).as("records of %s", operation).isBetween(least, most);
            }
        }
    }

    /** The runs started from these, or for which these wait: one for each. */
    private static List<String> startedAfter(List<String> originals) throws SQLException {
        var started = new ArrayList<String>();
        try (var connection = installation.postgres().connect();
                var query = connection.prepareStatement("select run_id from run_origin where origin_run_id = ?")) {
            for (String original : originals) {
                query.setObject(1, UUID.fromString(original));
                try (var rows = query.executeQuery()) {
                    while (rows.next()) {
                        started.add(rows.getString(1));
                    }
                }
            }
        }
        assertThat(started).as("runs that began again").hasSameSizeAs(originals);
        return started;
    }

    private static List<String> submitWaiting() {
        return submit(Map.of("target", Map.of("flow", "crash/waits-for-signal")));
    }

    private static List<String> submitCalling(String flow) {
        return submit(Map.of("target", Map.of("flow", "crash/calls"), "input", Map.of("flow", flow)));
    }

    private static List<String> submitFailing(Path file) {
        List<String> runs = submit(needing(file));
        assertAllEnd("failed", runs);
        return runs;
    }

    private static List<String> submitSucceeding(Path file) throws IOException {
        List<String> runs = submit(needing(file));
        assertAllEnd("succeeded", runs);
        return runs;
    }

    private static Map<String, Object> needing(Path file) {
        return Map.of("target", Map.of("flow", "crash/needs-file"), "input", Map.of("file", file.toString()));
    }

    private static List<String> submit(Map<String, Object> run) {
        return IntStream.range(0, RUNS_EACH)
                .mapToObj(_ -> installation.api().submit(run))
                .toList();
    }

    private static void assertAllEnd(String state, List<String> runs) {
        runs.forEach(run -> {
            JsonNode ended = installation.api().awaitEnd(run);
            assertThat(ended.path("state").asText()).as("state of %s", ended).isEqualTo(state);
        });
    }
}
