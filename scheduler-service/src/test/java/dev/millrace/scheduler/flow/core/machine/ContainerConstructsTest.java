package dev.millrace.scheduler.flow.core.machine;

import static dev.millrace.scheduler.flow.core.machine.Model.choice;
import static dev.millrace.scheduler.flow.core.machine.Model.compute;
import static dev.millrace.scheduler.flow.core.machine.Model.forEach;
import static dev.millrace.scheduler.flow.core.machine.Model.list;
import static dev.millrace.scheduler.flow.core.machine.Model.onFailure;
import static dev.millrace.scheduler.flow.core.machine.Model.parallel;
import static dev.millrace.scheduler.flow.core.machine.Model.result;
import static dev.millrace.scheduler.flow.core.machine.Model.retry;
import static dev.millrace.scheduler.flow.core.machine.Model.run;
import static dev.millrace.scheduler.flow.core.machine.Model.sideBySide;
import static dev.millrace.scheduler.flow.core.machine.Model.skippingFailures;
import static dev.millrace.scheduler.flow.core.machine.Model.step;
import static dev.millrace.scheduler.flow.core.machine.Model.stop;
import static dev.millrace.scheduler.flow.core.machine.Model.task;
import static dev.millrace.scheduler.flow.core.machine.Model.value;
import static dev.millrace.scheduler.flow.core.machine.Model.withOutput;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Extent;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests loops, branches and containers that begin again: their contents and their ends. */
class ContainerConstructsTest {
    @Test
    void keepsTheFailureOfAnIterationAsItsResult() {
        RunOfFlow run = run(list(step(
                "loop", forEach("[1,2]", 2, skippingFailures(), list(step("a", task()), step("b", task()))))));
        run.fail("loop[0].a", "No luck.");
        run.succeed("loop[1].a", "1");
        run.succeed("loop[1].b", "2");
        assertThat(run.output())
                .isEqualTo(
                        "[{\"error\":{\"name\":\"Error\",\"message\":\"No luck.\",\"stack\":\"\",\"step_id\":\"a\"}},2]");
    }

    @Test
    void letsStepsInsideTheBoundaryFinishAndContinuesOutside() {
        RunOfFlow run = run(sideBySide(
                step(
                        "p",
                        parallel(
                                list(step("a", task()), step("a2", task())),
                                list(step("b", task()), step("b2", task()))),
                        onFailure(OnFailure.CONTINUE)),
                step("c", task())));
        run.fail("p[0].a", "No luck.");
        assertThat(run.live()).containsOnlyKeys("p[1].b", "c");
        run.succeed("p[1].b", "1");
        assertThat(run.live()).containsOnlyKeys("c");
        assertThat(run.rows().get("p")).isInstanceOf(Outcome.Failed.class);
        run.succeed("c", "3");
        assertThat(run.output()).isEqualTo("3");
    }

    @Test
    void runsBranchesAndNamesTheirResults() {
        StepAction named = new StepAction.Parallel(
                List.of(
                        new StepAction.Branch("left", list(step("a", task())), true),
                        new StepAction.Branch("right", list(step("b", task())), false)),
                1);
        RunOfFlow run = run(list(step("p", named)));
        assertThat(run.live()).containsOnlyKeys("p[0].a");
        run.fail("p[0].a", "No luck.");
        run.succeed("p[1].b", "2");
        assertThat(run.output()).startsWith("{\"left\":{\"error\":{").endsWith("},\"right\":2}");
    }

    @Test
    void readsResultsOfBranchesFromOutside() {
        RunOfFlow run = run(withOutput(
                list(
                        step(
                                "p",
                                parallel(
                                        list(step("a", task())),
                                        list(step("s", choice("1", "1", list(step("b", task()))))))),
                        step("none", choice("1", "2", list(step("c", task())))),
                        step("d", task("${{ steps.b.result }}"))),
                "${{ steps.a.result }}-${{ steps.c.result }}-${{ steps.d.result }}"));
        run.succeed("p[0].a", "1");
        run.succeed("p[1].s.b", "2");
        assertThat(run.inputOf("d")).isEqualTo("{\"x\":2}");
        run.succeed("d", "4");
        assertThat(run.output()).isEqualTo("\"1-null-4\"");
    }

    @Test
    void repeatsWhileTheConditionHolds() {
        StepAction loop =
                new StepAction.While(result(), false, 10, list(step("a", task("${{ item }}"))), LoopOptions.DEFAULT);
        RunOfFlow run = run(list(step("w", loop)));
        assertThat(run.inputOf("w[0].a")).isEqualTo("{\"x\":null}");
        run.succeed("w[0].a", "5");
        assertThat(run.inputOf("w[1].a")).isEqualTo("{\"x\":5}");
        run.succeed("w[1].a", "0");
        assertThat(run.output()).isEqualTo("[5,0]");
    }

    @Test
    void evaluatesTheConditionFirstAndFailsAfterTooManyIterations() {
        StepAction never = new StepAction.While(value("false"), true, 10, list(step("a", task())), LoopOptions.DEFAULT);
        assertThat(run(list(step("w", never))).output()).isEqualTo("[]");
        StepAction endless =
                new StepAction.While(value("true"), true, 3, list(step("b", compute("1"))), LoopOptions.DEFAULT);
        assertThat(run(list(step("w", endless))).failure())
                .startsWith("Step \"w\" failed: The condition of the loop is still true after 3 iterations");
    }

    @Test
    void readsTheStepsOfAnIterationInItsCondition() {
        StepAction loop = new StepAction.While(
                value("${{ steps.a.result.more }}"),
                false,
                10,
                list(step("a", task()), step("b", compute("1"))),
                new LoopOptions(false, Optional.empty(), Optional.of(value("${{ index }}")), OptionalInt.of(2)));
        RunOfFlow run = run(list(step("w", loop)));
        run.succeed("w[0].a", "{\"more\":1}");
        run.succeed("w[1].a", "{\"more\":1}");
        run.succeed("w[2].a", "{\"more\":0}");
        assertThat(run.output()).isEqualTo("{\"1\":1,\"2\":1}");
    }

    @Test
    void skipsTheFailuresOfItemsThatSaySo() {
        LoopOptions byItem = new LoopOptions(
                value("${{ item?.optional }}"), Optional.empty(), Optional.empty(), OptionalInt.empty());
        String items = "[{\"optional\":true},{\"optional\":false},7]";
        for (boolean single : List.of(true, false)) {
            StepAction loop = new StepAction.ForEach(value(items), 3, list(step("loop", task())), single, byItem);
            String key = single ? "loop[%s]" : "loop[%s].loop";
            RunOfFlow run = run(list(step("loop", loop)));
            run.fail(key.formatted(0), "no");
            run.succeed(key.formatted(1), "1");
            run.succeed(key.formatted(2), "2");
            assertThat(run.output()).startsWith("[{\"error\":").endsWith(",1,2]");

            RunOfFlow failing = run(list(step("loop", loop)));
            failing.fail(key.formatted(0), "no");
            failing.fail(key.formatted(2), "really");
            failing.succeed(key.formatted(1), "1");
            assertThat(failing.failure()).contains(key.formatted(2), "really");
            failing.retry();
            assertThat(failing.live()).containsOnlyKeys(key.formatted(2));
        }
    }

    @Test
    void leavesALoop() {
        LoopOptions breaking = new LoopOptions(false, Optional.of(result()), Optional.empty(), OptionalInt.empty());
        RunOfFlow run = run(list(step("loop", forEach("[1,2,3,4]", 2, breaking, list(step("a", task()))))));
        run.succeed("loop[1].a", "true");
        assertThat(run.live()).containsOnlyKeys("loop[0].a");
        run.succeed("loop[0].a", "false");
        assertThat(run.output()).isEqualTo("[false,true]");
    }

    @Test
    void leavesALoopFromInsideABranch() {
        RunOfFlow run = run(list(step(
                "loop",
                forEach(
                        "[1,2,3]",
                        1,
                        LoopOptions.DEFAULT,
                        list(
                                step("s", choice("1", "1", list(step("a", task(), stop(result(), Extent.LOOP))))),
                                step("b", task()))))));
        run.succeed("loop[0].s.a", "0");
        run.succeed("loop[0].b", "\"b\"");
        run.succeed("loop[1].s.a", "7");
        assertThat(run.output()).isEqualTo("[\"b\",7]");
    }

    @Test
    void beginsAContainerAgain() {
        RunOfFlow run = run(list(
                step(
                        "loop",
                        forEach("[1,2]", 1, LoopOptions.DEFAULT, list(step("a", task()))),
                        retry(1, Duration.ofSeconds(3))),
                step("b", task("${{ steps.loop.result }}"))));
        run.succeed("loop[0].a", "1");
        run.fail("loop[1].a", "No luck.");
        assertThat(run.waits()).containsOnlyKeys("loop#delay");
        run.succeed("loop#delay", "null");
        assertThat(run.live()).containsOnlyKeys("loop[0].a");
        run.succeed("loop[0].a", "3");
        run.succeed("loop[1].a", "4");
        assertThat(run.inputOf("b")).isEqualTo("{\"x\":[3,4]}");
    }

    @Test
    void givesUpAContainerAfterItsRetries() {
        RunOfFlow run = run(list(step(
                "loop", forEach("[1]", 1, LoopOptions.DEFAULT, list(step("a", task()))), retry(2, Duration.ZERO))));
        run.fail("loop[0].a", "1");
        run.fail("loop[0].a", "2");
        run.fail("loop[0].a", "3");
        assertThat(run.failure()).isEqualTo("Step \"loop\" failed: Step \"loop[0].a\" failed: 3");
    }
}
