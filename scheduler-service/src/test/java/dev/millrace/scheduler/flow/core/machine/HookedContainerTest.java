package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Outcome;
import org.junit.jupiter.api.Test;

/** Tests containers and child runs that have hooks. */
class HookedContainerTest {
    private static final String IMPORT = """
            steps:
              - id: import
                for_each: [4, 5]
                retry: {max_retries: 1}
                before_retry: {script: clean.py, input: {retry: "${{ retry }}", why: "${{ error.message }}", step: "${{ error.step_id }}"}}
                before: {script: lock.py}
                after: {script: unlock.py, input: {all: "${{ result }}"}}
                steps:
                  - {id: read, script: read.py, input: {n: "${{ item }}"}}
                  - {id: write, script: write.py, input: {row: "${{ steps.read.result }}"}}
            """;

    @Test
    void runsItsHooksOnceAroundAllIterations() {
        RunOfFlow run = started(IMPORT);
        assertThat(run.rows().get("import.~before_retry")).isInstanceOf(Outcome.Skipped.class);
        assertThat(run.live()).containsOnlyKeys("import.~before");
        run.succeed("import.~before", "null");
        iterate(run, 0, "40");
        iterate(run, 1, "50");
        assertThat(run.inputOf("import.~after")).isEqualTo("{\"all\":[40,50]}");

        run.succeed("import.~after", "\"unlocked\"");

        assertThat(run.output()).isEqualTo("[40,50]");
    }

    @Test
    void cleansUpBeforeTheWholeStepBeginsAgain() {
        RunOfFlow run = started(IMPORT);
        run.succeed("import.~before", "null");
        iterate(run, 0, "40");
        run.fail("import.~run[1].read", "no luck");
        assertThat(run.inputOf("import.~before_retry"))
                .isEqualTo("{\"retry\":1,\"why\":\"no luck\",\"step\":\"read\"}");
        run.succeed("import.~before_retry", "null");
        run.succeed("import.~before", "null");
        assertThat(run.live()).containsOnlyKeys("import.~run[0].read");

        run.fail("import.~run[0].read", "never");

        assertThat(run.failure()).isEqualTo("Step \"import\" failed: Step \"import.~run[0].read\" failed: never");
    }

    @Test
    void failsAsTheContainerItselfDoes() {
        RunOfFlow run = started("""
                steps:
                  - {id: count, for_each: 5, after: {script: never.py}, steps: []}
                """);
        assertThat(run.failure()).startsWith("Step \"count\" failed: The value of for_each");
    }

    @Test
    void doesNotRepeatTheContainerIfItsLastHookFails() {
        RunOfFlow run = started(IMPORT);
        run.succeed("import.~before", "null");
        iterate(run, 0, "40");
        iterate(run, 1, "50");
        run.failRetryably("import.~after", "stuck");
        assertThat(run.failure()).isEqualTo("Step \"import\" failed: Step \"import.~after\" failed: stuck");

        run.retry();

        assertThat(run.live()).containsOnlyKeys("import.~after");
        run.succeed("import.~after", "null");
        assertThat(run.output()).isEqualTo("[40,50]");
    }

    @Test
    void continuesInsideWithoutItsFirstHooksWhenAUserRetriesTheRun() {
        RunOfFlow run = started(IMPORT.replace("retry: {max_retries: 1}", "parallelism: 1"));
        run.succeed("import.~before", "null");
        iterate(run, 0, "40");
        run.fail("import.~run[1].read", "no luck");

        run.retry();

        assertThat(run.live()).containsOnlyKeys("import.~run[1].read");
        iterate(run, 1, "50");
        assertThat(run.inputOf("import.~after")).isEqualTo("{\"all\":[40,50]}");
    }

    @Test
    void beginsAgainAsAWholeWhenAUserRetriesARunAfterTheFirstHookFailed() {
        RunOfFlow run = started(IMPORT.replace("retry: {max_retries: 1}", "parallelism: 1"));
        run.fail("import.~before", "locked");
        run.retry();
        assertThat(run.inputOf("import.~before_retry")).startsWith("{\"retry\":1,\"why\":\"locked\"");
    }

    @Test
    void repeatsOnlyWhatFollowsAnInnerStep() {
        RunOfFlow run = started(IMPORT);
        run.succeed("import.~before", "null");
        iterate(run, 0, "40");
        iterate(run, 1, "50");
        run.succeed("import.~after", "null");

        run.redoFrom("import.~run[1].write");

        assertThat(run.live()).containsOnlyKeys("import.~run[1].write");
        run.succeed("import.~run[1].write", "51");
        assertThat(run.inputOf("import.~after")).isEqualTo("{\"all\":[40,51]}");
    }

    @Test
    void letsStepsInsideBranchesBeReadFromOutside() {
        RunOfFlow run = started("""
                steps:
                  - id: route
                    before: {script: look.py}
                    switch: {cases: [{when: true, steps: [{id: left, script: left.py}]}]}
                  - {id: tell, script: tell.py, input: {x: "${{ steps.left.result }}"}}
                """);
        run.succeed("route.~before", "null");
        run.succeed("route.~run.left", "7");
        assertThat(run.inputOf("tell")).isEqualTo("{\"x\":7}");
    }

    @Test
    void surroundsAChildRun() {
        RunOfFlow run = started("""
                steps:
                  - id: call
                    flow: other
                    as: run
                    retry: {max_retries: 1}
                    before_retry: {script: clean.py, input: {why: "${{ error.message }}"}}
                    after: {script: check.py, input: {all: "${{ result }}"}}
                """);
        assertThat(run.waits()).containsOnlyKeys("call.~run");
        run.fail("call.~run", "no luck");
        assertThat(run.inputOf("call.~before_retry")).isEqualTo("{\"why\":\"no luck\"}");
        run.succeed("call.~before_retry", "null");
        run.succeed("call.~run", "8");
        assertThat(run.inputOf("call.~after")).isEqualTo("{\"all\":8}");
        run.succeed("call.~after", "null");
        assertThat(run.output()).isEqualTo("8");
    }

    @Test
    void countsTheTimeOfItsHooksAndOfAllAttempts() {
        RunOfFlow run = started("""
                steps:
                  - id: box
                    timeout: 1m
                    retry: {max_retries: 1}
                    before: {script: before.py}
                    after: {script: after.py}
                    flow: {timeout: 30s, steps: [{id: a, script: a.py}]}
                """);
        assertThat(run.waits()).containsOnlyKeys("box#limit");
        run.succeed("box.~before", "null");
        run.succeed("box.~run.a", "1");
        assertThat(run.live()).containsOnlyKeys("box.~after");

        run.succeed("box#limit", "null");

        assertThat(run.failure()).isEqualTo("Step \"box\" failed: The step took longer than its time limit of 30s.");
    }

    @Test
    void retriesOnlyUnderItsCondition() {
        RunOfFlow run = started("""
                steps:
                  - id: box
                    retry: {max_retries: 5}
                    retry_if: ${{ error.message == 'busy' }}
                    before: {script: before.py}
                    steps: [{id: a, script: a.py}]
                """);
        run.succeed("box.~before", "null");
        run.fail("box.~run.a", "busy");
        assertThat(run.live()).containsOnlyKeys("box.~before");
        run.succeed("box.~before", "null");
        run.fail("box.~run.a", "broken");
        assertThat(run.failure()).isEqualTo("Step \"box\" failed: Step \"box.~run.a\" failed: broken");
    }

    private static void iterate(RunOfFlow run, int iteration, String result) {
        run.succeed("import.~run[" + iteration + "].read", "{}");
        run.succeed("import.~run[" + iteration + "].write", result);
    }

    private static RunOfFlow started(String definition) {
        return RunOfFlow.started(definition, "{}");
    }
}
