package dev.millrace.scheduler.flow.core.machine;

import static dev.millrace.scheduler.flow.core.machine.Model.list;
import static dev.millrace.scheduler.flow.core.machine.Model.run;
import static dev.millrace.scheduler.flow.core.machine.Model.step;
import static dev.millrace.scheduler.flow.core.machine.Model.task;
import static dev.millrace.scheduler.flow.core.machine.Model.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Extent;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests sub-flows that handle their own failure. */
class HandledFlowTest {
    private static final Template FAILED = value("${{ [error.step_id, error.message, steps.a?.result] }}");
    private static final StepList TELLS = list(step("tell", new StepAction.Compute(FAILED)), step("last", task()));

    private static final StepList LAST = list(step("last", task()));

    @Test
    void runsItsStepsForAFailureBeforeItFails() {
        RunOfFlow run = run(list(step("call", inner(list(step("a", task()), step("b", task())), Optional.of(TELLS)))));
        run.succeed("call.~steps.a", "7");
        run.fail("call.~steps.b", "no luck");
        assertThat(run.rows().get("call.~failure.tell"))
                .isEqualTo(new Outcome.Succeeded(new Json("[\"b\",\"no luck\",7]")));
        assertThat(run.live()).containsOnlyKeys("call.~failure.last");

        run.succeed("call.~failure.last", "\"told\"");

        assertThat(run.failure()).isEqualTo("Step \"call.~steps.b\" failed: no luck");
    }

    @Test
    void skipsThemIfNothingFailed() {
        RunOfFlow run = run(list(step("call", inner(list(step("a", task())), Optional.of(TELLS)))));
        run.succeed("call.~steps.a", "{\"error\":\"none\"}");
        assertThat(run.output()).isEqualTo("{\"error\":\"none\"}");
    }

    @Test
    void failsWithItsOriginalFailureIfTheFailureStepsAlsoFail() {
        RunOfFlow run = run(list(step("call", inner(list(step("b", task())), Optional.of(LAST)))));
        run.fail("call.~steps.b", "no luck");
        run.fail("call.~failure.last", "no line");
        assertThat(run.failure()).isEqualTo("Step \"call.~steps.b\" failed: no luck");
    }

    @Test
    void runsThemForEachAttempt() {
        RunOfFlow run = run(list(step(
                "call",
                inner(list(step("b", task())), Optional.of(list(step("tell", task())))),
                Model.retry(1, Duration.ZERO))));
        run.fail("call.~steps.b", "no luck");
        run.succeed("call.~failure.tell", "1");
        assertThat(run.live()).containsOnlyKeys("call.~steps.b");
        run.succeed("call.~steps.b", "2");
        assertThat(run.output()).isEqualTo("2");
    }

    @Test
    void letsTheOuterFlowTolerateItsFailure() {
        RunOfFlow run = run(list(
                step(
                        "call",
                        inner(list(step("b", task())), Optional.of(list(step("tell", task())))),
                        Model.onFailure(OnFailure.CONTINUE)),
                step("after", Model.compute("${{ steps.call.result.error }}"))));
        run.fail("call.~steps.b", "no luck");
        run.succeed("call.~failure.tell", "1");
        assertThat(run.output())
                .isEqualTo("{\"name\":\"Error\",\"message\":\"no luck\",\"stack\":\"\",\"step_id\":\"call\"}");
    }

    @Test
    void runsThemIfAStepFailsTheWholeFlow() {
        Template always = new Template.Constant(JsonValue.TRUE);
        StepList loop = list(step("n", task(), Model.stop(always, Extent.RUN, "enough")));
        RunOfFlow run = run(list(step(
                "call",
                inner(
                        list(step("all", Model.forEach("${{ inputs.items }}", 1, Model.skippingFailures(), loop))),
                        Optional.of(list(step("tell", task())))))));
        run.succeed("call.~steps.all[0].n", "1");
        assertThat(run.live()).containsOnlyKeys("call.~failure.tell");
        run.succeed("call.~failure.tell", "1");
        assertThat(run.failure()).isEqualTo("Step \"call.~steps.all[0].n\" failed: enough");
    }

    @Test
    void skipsThemIfAStepEndsTheFlow() {
        StepAction end = new StepAction.Terminate(EndStatus.FAILED, Template.Constant.NULL, value("over"));
        RunOfFlow run = run(list(step("call", inner(list(step("end", end)), Optional.of(LAST)))));
        assertThat(run.failure()).contains("over");
        assertThat(run.journal()).extracting(row -> row.key().text()).noneMatch(key -> key.contains("~failure"));
    }

    @Test
    void startsItsFailureFlowOnceItHasFailed() {
        RunOfFlow run = run(list(step("call", inner(list(step("b", task())), Optional.empty(), Optional.of("tidy")))));
        Decision failing = run.fail("call.~steps.b", "no luck");
        assertThat(failing.runs()).singleElement().satisfies(start -> {
            assertThat(start.isFailureFlow()).isTrue();
            assertThat(start.flow()).isEqualTo("tidy");
            assertThat(start.input().text())
                    .isEqualTo(
                            "{\"run_id\":\"" + Flows.RUN
                                    + "\",\"error\":{\"name\":\"Error\",\"message\":\"no luck\",\"stack\":\"\",\"step_id\":\"b\"},\"input\":{\"items\":[1,2]}}");
        });
        run.succeed("call.~failure_flow", "{}");
        assertThat(run.failure()).isEqualTo("Step \"call.~steps.b\" failed: no luck");
    }

    private static StepAction inner(StepList steps, Optional<StepList> onFailure) {
        return inner(steps, onFailure, Optional.empty());
    }

    private static StepAction inner(StepList steps, Optional<StepList> onFailure, Optional<String> failureFlow) {
        FlowOptions options = FlowOptions.NONE
                .change()
                .onFailure(onFailure)
                .failureFlow(failureFlow.map(path -> FailureFlow.at(path, FailureFlow.Given.FAILURE)))
                .undeclared(FlowOptions.Undeclared.KEPT)
                .build();
        return new StepAction.InlineFlow(
                new FlowDefinition("", "", List.of(), steps, options),
                new Template.Constant(JsonValue.of("{\"items\":[1,2]}")));
    }
}
