package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Outcome;
import org.junit.jupiter.api.Test;

/** Tests tasks that have hooks. */
class HookedTaskTest {
    private static final String DEPLOY = """
            steps:
              - id: deploy
                script: deploy.py
                input: {version: "${{ inputs.n }}"}
                retry: {max_retries: 2}
                before_retry: {script: clean.py, input: {retry: "${{ retry }}", why: "${{ error.message }}", step: "${{ error.step_id }}"}}
                before: {script: prepare.py}
                after: {script: watch.py, input: {id: "${{ result.id }}"}}
            """;

    @Test
    void runsTheHooksAndResultsInTheResultOfTheTask() {
        RunOfFlow run = run(DEPLOY);
        assertThat(run.rows().get("deploy.~before_retry")).isInstanceOf(Outcome.Skipped.class);
        assertThat(run.live()).containsOnlyKeys("deploy.~before");
        run.succeed("deploy.~before", "null");
        assertThat(run.inputOf("deploy.~run")).isEqualTo("{\"version\":3}");
        run.succeed("deploy.~run", "{\"id\":7}");
        assertThat(run.inputOf("deploy.~after")).isEqualTo("{\"id\":7}");

        run.succeed("deploy.~after", "\"seen\"");

        assertThat(run.output()).isEqualTo("{\"id\":7}");
    }

    @Test
    void cleansUpBeforeEachRetryAndKnowsTheAttempt() {
        RunOfFlow run = run(DEPLOY);
        run.succeed("deploy.~before", "null");
        run.failRetryably("deploy.~run", "no room");
        assertThat(run.inputOf("deploy.~before_retry"))
                .isEqualTo("{\"retry\":1,\"why\":\"no room\",\"step\":\"deploy\"}");
        run.succeed("deploy.~before_retry", "null");
        run.failRetryably("deploy.~before", "no key");
        assertThat(run.inputOf("deploy.~before_retry"))
                .isEqualTo("{\"retry\":2,\"why\":\"no key\",\"step\":\"deploy\"}");
        run.succeed("deploy.~before_retry", "null");
        run.succeed("deploy.~before", "null");
        assertThat(attempt(run, "deploy.~run")).isEqualTo(3);

        run.failRetryably("deploy.~run", "no luck");

        assertThat(run.failure()).isEqualTo("Step \"deploy\" failed: no luck");
    }

    @Test
    void isNotRetriedAfterAPermanentError() {
        RunOfFlow run = run(DEPLOY);
        run.succeed("deploy.~before", "null");
        run.fail("deploy.~run", "never");
        assertThat(run.failure()).isEqualTo("Step \"deploy\" failed: never");
    }

    @Test
    void doesNotRepeatTheTaskIfItsLastHookFails() {
        RunOfFlow run = run(DEPLOY);
        run.succeed("deploy.~before", "null");
        run.succeed("deploy.~run", "{\"id\":7}");
        run.failRetryably("deploy.~after", "lost sight");
        assertThat(run.failure()).isEqualTo("Step \"deploy\" failed: Step \"deploy.~after\" failed: lost sight");

        run.retry();

        assertThat(run.live()).containsOnlyKeys("deploy.~after");
        assertThat(run.inputOf("deploy.~after")).isEqualTo("{\"id\":7}");
        run.succeed("deploy.~after", "null");
        assertThat(run.output()).isEqualTo("{\"id\":7}");
    }

    @Test
    void cleansUpWhenAUserRetriesTheRun() {
        RunOfFlow run = run(DEPLOY);
        run.succeed("deploy.~before", "null");
        run.failRetryably("deploy.~run", "first");
        run.succeed("deploy.~before_retry", "null");
        run.succeed("deploy.~before", "null");
        run.fail("deploy.~run", "second");

        run.retry();

        assertThat(run.inputOf("deploy.~before_retry"))
                .isEqualTo("{\"retry\":2,\"why\":\"second\",\"step\":\"deploy\"}");
        run.succeed("deploy.~before_retry", "null");
        run.succeed("deploy.~before", "null");
        run.failRetryably("deploy.~run", "third");
        assertThat(run.inputOf("deploy.~before_retry")).startsWith("{\"retry\":3,\"why\":\"third\"");
    }

    @Test
    void cleansUpAfterACanceledRun() {
        RunOfFlow run = run(DEPLOY);
        run.succeed("deploy.~before", "null");
        run.cancel();
        run.retry();
        assertThat(run.inputOf("deploy.~before_retry")).startsWith("{\"retry\":1,");
    }

    @Test
    void startsWithAFirstAttemptIfItsContainerBeginsAgain() {
        RunOfFlow run = run("""
                steps:
                  - id: box
                    retry: {max_retries: 1}
                    steps:
                      - {id: deploy, script: deploy.py, before_retry: {script: clean.py}}
                """);
        run.fail("box.deploy.~run", "no luck");
        assertThat(run.live()).containsOnlyKeys("box.deploy.~run");
        assertThat(attempt(run, "box.deploy.~run")).isEqualTo(1);
    }

    @Test
    void rerunsFromAStepThatSucceededWithoutCleaningUp() {
        RunOfFlow run = run(DEPLOY);
        run.succeed("deploy.~before", "null");
        run.succeed("deploy.~run", "{\"id\":7}");
        run.succeed("deploy.~after", "null");
        run.redoFrom("deploy");
        assertThat(run.live()).containsOnlyKeys("deploy.~before");
    }

    @Test
    void retriesOnlyUnderItsCondition() {
        RunOfFlow run = run("""
                steps:
                  - id: deploy
                    script: deploy.py
                    retry: {max_retries: 5, delay: 2s}
                    retry_if: ${{ error.message == 'busy' && error.step_id == 'deploy' }}
                    after: {script: watch.py}
                """);
        run.failRetryably("deploy.~run", "busy");
        assertThat(run.waits()).containsOnlyKeys("deploy#delay");
        run.succeed("deploy#delay", "null");
        run.failRetryably("deploy.~run", "broken");
        assertThat(run.failure()).isEqualTo("Step \"deploy\" failed: broken");
    }

    @Test
    void worksInALoopOfOneTask() {
        RunOfFlow run = run("""
                steps:
                  - id: count
                    for_each: [4, 5]
                    skip_failures: true
                    script: count.py
                    after: {script: watch.py, input: {n: "${{ item }}", r: "${{ result }}"}}
                """);
        run.succeed("count[0].count.~run", "40");
        assertThat(run.inputOf("count[0].count.~after")).isEqualTo("{\"n\":4,\"r\":40}");
        run.succeed("count[0].count.~after", "null");
        run.fail("count[1].count.~run", "no luck");
        assertThat(run.output()).startsWith("[40,{\"error\":").contains("\"step_id\":\"count\"");
    }

    private static int attempt(RunOfFlow run, String key) {
        StartJob job = run.live().get(key);
        return job == null ? 0 : job.attempt();
    }

    private static RunOfFlow run(String definition) {
        return RunOfFlow.started(definition.replace("inputs.n", "3"), "{}");
    }
}
