package dev.millrace.scheduler.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.start.RunStart;
import dev.millrace.scheduler.testing.Sweep;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests the caching of results of steps and flows. */
class ResultCacheTest {
    private static final String STEP = """
            millrace: v1
            name: one
            open_inputs: true
            steps:
              - {id: a, handler: h, input: {n: "${{ inputs.n }}"}, cache: {ttl: 1h}}
              - {id: b, value: "${{ steps.a.result }}"}
            """;
    private static final String FLOW = """
            millrace: v1
            name: whole
            open_inputs: true
            cache: {ttl: 1h, key: "${{ inputs.n }}"}
            steps:
              - {id: a, handler: h}
            """;

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);
    private final FakeWorker worker = scheduler.connect(fixture.ids, 4, "handler:h");

    @Test
    void endsAStepWithTheResultOfAnotherOne() {
        String flow = fixture.flow(STEP);
        run(flow, "{\"n\":1}", "\"first\"");

        RunId hit = submit(flow, "{\"n\":1}");
        RunId miss = run(flow, "{\"n\":2}", "\"second\"");

        assertThat(fixture.history(hit)).containsExactly("|1|1|\"first\"", "a|1|1|\"first\"", "b|1|1|\"first\"");
        assertThat(fixture.history(miss)).contains("a|1|1|\"second\"");
        assertThat(fromCache(hit)).containsExactly("a");
        assertThat(fromCache(miss)).isEmpty();
        assertThat(worker.hasDelivery()).isFalse();
    }

    @Test
    void endsTheNextStepOfTheSameRun() {
        RunId run = run(fixture.flow("""
                millrace: v1
                name: twice
                steps:
                  - {id: a, handler: h, cache: {ttl: 1h}}
                  - {id: b, handler: h, cache: {ttl: 1h}}
                """), "{}", "7");

        assertThat(fixture.history(run)).containsExactly("|1|1|7", "a|1|1|7", "b|1|1|7");
        assertThat(fromCache(run)).containsExactly("b");
    }

    @Test
    void doesNotCacheFailures() {
        String flow = fixture.flow(STEP);
        submit(flow, "{\"n\":1}");
        fixture.end(
                scheduler, worker, worker.nextDelivery(), new AttemptResult.Failed(JobError.permanent("Error", "no")));
        worker.nextAck();

        run(flow, "{\"n\":1}", "1");

        assertThat(rows("result_cache")).isEqualTo(1);
    }

    @Test
    void keepsNoResultBeyondItsTime() {
        String flow = fixture.flow(STEP);
        run(flow, "{\"n\":1}", "1");
        fixture.database.run(context -> context.execute("update result_cache set expires_at = now()"));

        RunId again = run(flow, "{\"n\":1}", "2");

        assertThat(fixture.history(again)).contains("a|1|1|2");
        fixture.database.run(context -> context.execute("update result_cache set expires_at = now()"));
        Sweep.now(fixture.database, CacheRetention.RESULTS);
        assertThat(rows("result_cache")).isZero();
    }

    @Test
    void endsARunWithTheOutputOfAnotherOne() {
        String flow = fixture.flow(FLOW);
        run(flow, "{\"n\":1,\"who\":\"me\"}", "\"out\"");

        RunId hit = submit(flow, "{\"n\":1,\"who\":\"you\"}");

        assertThat(fixture.history(hit)).containsExactly("|1|1|\"out\"");
        assertThat(fromCache(hit)).containsExactly("");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void endsARunThatAFlowHasStarted() {
        String flow = fixture.flow(FLOW);
        run(flow, "{\"n\":1}", "\"out\"");
        submit(fixture.flow("""
                millrace: v1
                name: starter
                steps:
                  - {id: go, start: {flow: whole, input: {n: 1}}}
                """), "{}");
        RunId started =
                new RunId(fixture.database.run(context -> context.fetch("select id from job_queue where state = 7")
                        .getValues(0, UUID.class)
                        .getFirst()));

        scheduler
                .start(RunStart.Begun.of(
                        started,
                        0,
                        flow,
                        Optional.ofNullable(fixture.models.get(flow)).orElseThrow(),
                        new Json("{\"n\":1}")))
                .join();

        assertThat(fixture.history(started)).containsExactly("|1|1|\"out\"");
        assertThat(fromCache(started)).containsExactly("");
    }

    @Test
    void cachesNothingThatFollowsFromWhatARunHasRead() {
        String reads = fixture.flow("""
                millrace: v1
                name: reads
                cache: {ttl: 1h, key: same}
                steps:
                  - {id: a, handler: h}
                  - {id: b, handler: h, input: {n: "${{ steps.a.result }}"}, cache: {ttl: 1h, key: b}}
                  - {id: c, handler: h, cache: {ttl: 1h}}
                  - {id: d, handler: h, cache: {ttl: 1h}}
                """);
        RunId run = submit(reads, "{}");
        new UncachedRunStore(fixture.database).add(Workspace.DEFAULT, run);

        for (String result : List.of("1", "2", "3", "4")) {
            fixture.succeed(scheduler, worker, worker.nextDelivery(), result);
            worker.nextAck();
        }

        assertThat(fixture.history(run)).contains("b|1|1|2", "c|1|1|3", "d|1|1|4");
        assertThat(fromCache(run)).isEmpty();
        assertThat(rows("result_cache")).isZero();
    }

    @Test
    void cachesNothingOfRunsThatComeFromOneThatHasRead() {
        String flow = fixture.flow(FLOW);
        RunId run = submit(flow, "{\"n\":1}");
        RunId reader = submit(fixture.flow(STEP), "{\"n\":1}");
        RunId restarted = submit(flow, "{\"n\":2}");
        comesFrom(run, reader, "start_run");
        comesFrom(restarted, reader, "restart");
        new UncachedRunStore(fixture.database).add(Workspace.DEFAULT, reader);

        for (int i = 0; i < 3; i++) {
            fixture.succeed(scheduler, worker, worker.nextDelivery(), "1");
            worker.nextAck();
        }

        assertThat(rows("result_cache")).as("the output of the restart").isEqualTo(1);
    }

    @Test
    void cachesNothingOfARunThatMaySeeWhatItsChildHasRead() {
        RunId parent = submit(fixture.flow(FLOW), "{\"n\":1}");
        RunId child = new RunId(UUID.randomUUID());
        comesFrom(child, parent, "start_run");
        new UncachedRunStore(fixture.database).add(Workspace.DEFAULT, child);

        fixture.succeed(scheduler, worker, worker.nextDelivery(), "1");
        worker.nextAck();

        assertThat(rows("result_cache")).isZero();
    }

    private void comesFrom(RunId run, RunId origin, String relation) {
        fixture.database.run(context -> context.execute(
                "insert into run_origin (run_id, origin_run_id, relation, step_key) values (?, ?, ?, '')",
                run.value(),
                origin.value(),
                relation));
    }

    private RunId submit(String flow, String input) {
        return fixture.submit(scheduler, fixture.flowRun(flow, input));
    }

    private RunId run(String flow, String input, String result) {
        RunId run = submit(flow, input);
        fixture.succeed(scheduler, worker, worker.nextDelivery(), result);
        worker.nextAck();
        return run;
    }

    private List<String> fromCache(RunId run) {
        return fixture.database.run(context -> context.fetch(
                        "select step_key from job_history where run_id = ? and from_cache", run.value())
                .getValues(0, String.class));
    }

    private int rows(String table) {
        return fixture.database.run(
                context -> context.fetch("select 1 from " + table).size());
    }
}
