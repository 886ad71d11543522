package dev.millrace.scheduler.flow.core;

import static dev.millrace.scheduler.flow.core.Model.compute;
import static dev.millrace.scheduler.flow.core.Model.run;
import static dev.millrace.scheduler.flow.core.Model.task;
import static dev.millrace.scheduler.flow.core.Model.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Steps that begin before all that they need has ended. */
class EarlyBeginTest {
    private static final String EITHER = "${{ steps.a?.result || steps.b?.result }}";

    @Test
    void beginsOnceItsConditionHoldsAndOnlyOnce() {
        RunOfFlow run = run(twoAndOne(EITHER));
        run.succeed("a", "0");
        assertThat(run.live()).as("a result that is not true").containsOnlyKeys("b");
        run.succeed("b", "7");
        assertThat(run.inputOf("c")).isEqualTo("{\"x\":\"0 7\"}");

        RunOfFlow other = run(twoAndOne(EITHER));
        other.succeed("a", "1");
        assertThat(other.inputOf("c")).isEqualTo("{\"x\":\"1 null\"}");
        other.succeed("b", "2");
        assertThat(other.live()).containsOnlyKeys("c");
        assertThat(other.succeed("c", "3").end()).isPresent();
        assertThat(other.output()).isEqualTo("3");
    }

    @Test
    void waitsForWhatElseRunsBeforeTheListEnds() {
        RunOfFlow run = run(twoAndOne(EITHER));
        run.succeed("a", "1");
        run.succeed("c", "3");
        assertThat(run.end()).isEmpty();
        run.succeed("b", "2");
        assertThat(run.output()).isEqualTo("3");
    }

    @Test
    void seesAllThatNeedsNoWorkerBeforeItIsLookedAt() {
        RunOfFlow run = run(new StepList(
                List.of(
                        step("a", List.of(), task()),
                        step("c", List.of("a", "b", "d"), compute("${{ steps.b?.result }}"), EITHER),
                        step("b", List.of("a"), compute("[5]")),
                        step("d", List.of(), task())),
                Optional.of(value("${{ steps.c.result }}"))));
        run.succeed("a", "0");
        assertThat(run.rows()).containsKey("c");
        run.succeed("d", "null");
        assertThat(run.output()).isEqualTo("[5]");
    }

    @Test
    void failsWhereTheConditionDoes() {
        RunOfFlow run = run(twoAndOne("${{ steps.a.result.k }}"));
        run.succeed("a", "{}");
        run.succeed("b", "1");
        assertThat(run.failure()).startsWith("Step \"c\" failed: The condition to begin the step");
    }

    @Test
    void beginsWhereARunGoesOnThatHadFailedBefore() {
        RunOfFlow run = run(new StepList(
                List.of(
                        step("a", List.of(), task()),
                        step("bad", List.of(), task()),
                        step("b", List.of(), task()),
                        step("c", List.of("a", "b"), task(), EITHER)),
                Optional.empty()));
        run.fail("bad", "no");
        run.succeed("a", "1");
        run.fail("b", "no");
        assertThat(run.end()).isPresent();
        run.retry();
        assertThat(run.live()).containsOnlyKeys("bad", "b", "c");
    }

    @Test
    void isHeldBackByAPause() {
        RunOfFlow run = run(twoAndOne(EITHER));
        run.on(new FlowEvent.Paused());
        run.succeed("a", "1");
        assertThat(run.waits()).containsOnlyKeys("c#hold");
        run.succeed("b", "1");
        run.on(new FlowEvent.Resumed());
        assertThat(run.live()).containsOnlyKeys("c");
    }

    @Test
    void isNotAmongTheStepsOfWhichLiveStepsTellThatTheyHaveNotBegun() {
        RunOfFlow run = run(twoAndOne(EITHER));
        run.succeed("a", "1");
        run.succeed("c", "1");
        assertThat(NotBegun.of(run.model(), List.of(new StepKey("b")))).isEmpty();
    }

    private static StepList twoAndOne(String condition) {
        return new StepList(
                List.of(
                        step("a", List.of(), task()),
                        step("b", List.of(), task()),
                        step("c", List.of("a", "b"), task("${{ steps.a?.result }} ${{ steps.b?.result }}"), condition)),
                Optional.empty());
    }

    private static Step step(String id, List<String> needs, StepAction action) {
        return new Step(id, needs, action);
    }

    private static Step step(String id, List<String> needs, StepAction action, String condition) {
        return new Step(id, needs, action, StepPolicy.NONE.beginningIf(Optional.of(value(condition))));
    }
}
