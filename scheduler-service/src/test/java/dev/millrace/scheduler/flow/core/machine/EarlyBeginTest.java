package dev.millrace.scheduler.flow.core.machine;

import static dev.millrace.scheduler.flow.core.machine.Model.compute;
import static dev.millrace.scheduler.flow.core.machine.Model.run;
import static dev.millrace.scheduler.flow.core.machine.Model.task;
import static dev.millrace.scheduler.flow.core.machine.Model.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.UnbegunSteps;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests steps that begin before everything they need has ended. */
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
    void letsTheOtherStepsFinishBeforeTheListEnds() {
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
    void failsIfItsConditionFails() {
        RunOfFlow run = run(twoAndOne("${{ steps.a.result.k }}"));
        run.succeed("a", "{}");
        run.succeed("b", "1");
        assertThat(run.failure()).startsWith("Step \"c\" failed: The condition to begin the step");
    }

    @Test
    void beginsWhenAFailedRunIsRetried() {
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
    void seesTheEndedIterationsOfALoopEvenAfterARetryOfTheRun() {
        Template third = new Template.Whole(new EndedIterations("each", 2));
        RunOfFlow run = run(new StepList(
                List.of(
                        step("each", List.of(), forEach("[1, 2, 3]", task())),
                        step("bad", List.of(), task()),
                        new Step("c", List.of("each"), task(), StepPolicy.NONE.beginningIf(Optional.of(third)))),
                Optional.empty()));
        run.succeed("each[1]", "1");
        assertThat(run.live()).containsOnlyKeys("each[0]", "each[2]", "bad");
        run.fail("bad", "no");
        run.succeed("each[2]", "1");
        run.fail("each[0]", "no");
        assertThat(run.end()).isPresent();
        run.retry();
        assertThat(run.live()).containsOnlyKeys("each[0]", "bad", "c");
    }

    @Test
    void seesNothingOfALargeLoopBeforeItHasEnded() {
        Template first = new Template.Whole(new EndedIterations("each", 1));
        String items = IntStream.rangeClosed(0, FlowLimits.SEEN_LOOP_ITEMS_MAX)
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(",", "[", "]"));
        RunOfFlow run = run(new StepList(
                List.of(
                        step("each", List.of(), forEach(items, task())),
                        new Step("c", List.of("each"), task(), StepPolicy.NONE.beginningIf(Optional.of(first)))),
                Optional.empty()));
        run.succeed("each[0]", "1");
        assertThat(run.live()).doesNotContainKey("c");
    }

    private static StepAction forEach(String items, StepAction.Task task) {
        return new StepAction.ForEach(
                new Template.Constant(JsonValue.of(items)),
                FlowLimits.PARALLELISM_MAX,
                new StepList(List.of(step("each", List.of(), task)), Optional.empty()),
                true,
                LoopOptions.DEFAULT);
    }

    /** True if this many iterations of a loop in progress have ended. */
    private record EndedIterations(String loop, int count) implements Computed {
        @Override
        public JsonValue evaluate(Scope scope) {
            boolean enough = scope.findLoop(loop)
                    .filter(soFar -> soFar.ended().size() >= count)
                    .isPresent();
            return enough ? JsonValue.TRUE : JsonValue.FALSE;
        }

        @Override
        public Reads reads() {
            return Reads.step(loop);
        }
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
    void tellsByItsRowThatItHasEnded() {
        RunOfFlow run = run(twoAndOne(EITHER));
        run.succeed("a", "1");
        run.succeed("c", "1");
        UnbegunSteps steps = UnbegunSteps.of(run.model(), List.of(new StepKey("b")));
        assertThat(steps.perhapsEnded()).containsExactly(new StepKey("c"));
        assertThat(steps.find(UnbegunSteps.ended(run.journal()), 10).total()).isZero();
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
