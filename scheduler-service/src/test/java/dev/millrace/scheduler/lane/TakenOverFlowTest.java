package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.DueWait;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests that a scheduler which takes a flow over knows what the flow evaluated and received at another scheduler. */
class TakenOverFlowTest {
    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler first = fixture.start(1);

    @Test
    void goesOnWithTheParallelismThatTheLoopBeganWith() {
        RunId run = start("""
                millrace: v1
                name: wide
                inputs: {most: {}}
                steps:
                  - {id: each, for_each: [1, 2, 3, 4], parallelism: "${{ inputs.most }}", steps: [{id: w, wait: {for: 1h}}]}
                """, "{\"most\": 2}");
        assertThat(queuedSteps(run)).containsExactly("each[0].w", "each[1].w");
        OneScheduler second = takeOver();

        expire(second, run, "each[0].w");

        assertThat(queuedSteps(run)).containsExactly("each[1].w", "each[2].w");
    }

    @Test
    void endsTheBranchesInTurnThatWereToldToEnd() {
        RunId run = start("""
                millrace: v1
                name: turns
                steps:
                  - id: all
                    parallel:
                      parallelism: 1
                      stopped: run
                      branches:
                        - steps:
                            - {id: v, wait: {for: 1h}}
                            - {id: a, value: 7, stop: {when: true, ends: branches}}
                            - {id: w, needs: [], wait: {for: 1h}}
                        - {steps: [{id: b, value: 8}]}
                  - {id: after, value: 9}
                """, "{}");
        expire(first, run, "all[0].v");
        OneScheduler second = takeOver();

        expire(second, run, "all[0].w");

        assertThat(fixture.history(run)).contains("all|1|1|[7]", "|1|1|[7]").noneMatch(row -> row.startsWith("after"));
    }

    @Test
    void readsTheResultThatTheErrorOfAStopHas() {
        RunId run = start("""
                millrace: v1
                name: stop
                steps:
                  - id: each
                    on_failure: continue
                    for_each: [1]
                    steps: [{id: a, value: {n: 7}, stop: {when: true, error: {name: Enough, message: stop here, result: "${{ result }}"}}}]
                  - {id: w, wait: {for: 1h}}
                  - {id: after, value: "${{ steps.each.result.error }}"}
                """, "{}");
        OneScheduler second = takeOver();

        expire(second, run, "w");

        assertThat(fixture.history(run))
                .anyMatch(row -> row.startsWith("after|1|1|{\"name\":\"Enough\",\"message\":\"stop here\"")
                        && row.endsWith("\"step_id\":\"each\",\"result\":{\"n\":7}}"));
    }

    private RunId start(String flow, String input) {
        return fixture.submit(first, fixture.flowRun(fixture.flow(flow), input));
    }

    private OneScheduler takeOver() {
        first.lanes().close();
        return fixture.start(1);
    }

    private List<String> queuedSteps(RunId run) {
        return fixture.database.run(context -> context.fetch(
                        "select step_key from job_queue where run_id = ? and step_key <> '' order by step_key",
                        run.value())
                .getValues(0, String.class));
    }

    private void expire(OneScheduler on, RunId run, String step) {
        UUID wait = fixture.database.run(context -> context.fetchSingle(
                        "select id from job_queue where run_id = ? and step_key = ?", run.value(), step)
                .get(0, UUID.class));
        on.waitDue(new DueWait(new JobId(wait), run, step, false)).join();
    }
}
