package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.graph.AffinityRules;
import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which steps share a worker, and which of them are redone together. */
class AffinityRulesTest {
    private static final StepPolicy TOGETHER = StepPolicy.NONE.onSameWorker(true);

    /** {@code before}; a loop over an affinity group that contains another such block; {@code after}. */
    private static final FlowModel BLOCKS = model(
            FlowOptions.NONE,
            Model.list(
                    task("before"),
                    Model.step(
                            "loop",
                            Model.forEach(
                                    "[1,2]",
                                    2,
                                    LoopOptions.DEFAULT,
                                    Model.list(Model.step(
                                            "box",
                                            block(Model.list(
                                                    task("a"),
                                                    Model.step("inner", block(Model.list(task("b"))), TOGETHER))),
                                            TOGETHER)))),
                    task("after")));

    @Test
    void aContainerIsAGroupEachTimeItBegins() {
        assertThat(groupOf(BLOCKS, "before")).isEmpty();
        assertThat(groupOf(BLOCKS, "loop")).isEmpty();
        assertThat(groupOf(BLOCKS, "loop[3].box")).isEmpty();
        assertThat(groupOf(BLOCKS, "loop[3].box.a")).contains("loop[3].box");
        assertThat(groupOf(BLOCKS, "loop[4].box.inner.b")).contains("loop[4].box");
    }

    @Test
    void aLoopOfOneTaskIsAGroup() {
        FlowModel model = model(
                FlowOptions.NONE,
                new StepList(
                        List.of(Model.step(
                                "count",
                                new StepAction.ForEach(
                                        Model.value("[1]"), 1, Model.list(task("count")), true, LoopOptions.DEFAULT),
                                TOGETHER)),
                        Optional.empty()));

        assertThat(groupOf(model, "count[7]")).contains("count");
    }

    @Test
    void aWholeRunIsAGroupExceptForItsFailureSteps() {
        FlowOptions options = FlowOptions.NONE.onSameWorker();
        FlowModel model = model(
                FlowOptions.NONE
                        .change()
                        .variables(options.variables())
                        .onFailure(Optional.of(
                                Model.list(task("tell"), Model.step("box", block(Model.list(task("x"))), TOGETHER))))
                        .failureFlow(options.failureFlow())
                        .timeout(options.timeout())
                        .priority(options.priority())
                        .concurrency(options.concurrency())
                        .inputSchema(options.inputSchema())
                        .cache(options.cache())
                        .callers(options.callers())
                        .sameWorker(true)
                        .env(options.env())
                        .build(),
                Model.list(task("a"), Model.step("box2", block(Model.list(task("b"))))));

        assertThat(groupOf(model, "a")).contains(AffinityRules.RUN);
        assertThat(groupOf(model, "box2.b")).contains(AffinityRules.RUN);
        assertThat(groupOf(model, "#failure.tell")).isEmpty();
        assertThat(groupOf(model, "#failure.box.x")).contains("#failure.box");
    }

    @Test
    void aSubFlowKeepsItsGroup() {
        FlowDefinition inner =
                new FlowDefinition("", "", List.of(), Model.list(task("a")), FlowOptions.NONE.onSameWorker());
        FlowModel model = model(
                FlowOptions.NONE, Model.list(Model.step("sub", new StepAction.InlineFlow(inner, Model.value("{}")))));

        assertThat(groupOf(model, "sub.a")).contains("sub");
    }

    @Test
    void aFlowWithoutGroupsHasNone() {
        FlowModel model = model(FlowOptions.NONE, Model.list(task("a")));

        assertThat(model.affinity().any()).isFalse();
        assertThat(groupOf(model, "a")).isEmpty();
    }

    @Test
    void endsWithTheContainerOrOneAroundIt() {
        String group = "loop[1].box";

        assertThat(isEndedBy(group, "loop[1].box")).isTrue();
        assertThat(isEndedBy(group, "loop")).isTrue();
        assertThat(isEndedBy(group, "loop[1].box#open")).isFalse();
        assertThat(isEndedBy(group, "loop[1].box.a")).isFalse();
        assertThat(isEndedBy(group, "loop[10].box")).isFalse();
        assertThat(isEndedBy(AffinityRules.RUN, "loop")).isFalse();
    }

    @Test
    void findsALiveJobOfAGroup() {
        Set<StepKey> live =
                Set.of(new StepKey("before"), new StepKey("loop[0].box.a#delay"), new StepKey("loop[1].box.inner.b"));

        assertThat(BLOCKS.affinity().liveJob("loop[0].box", live)).isEmpty();
        assertThat(BLOCKS.affinity().liveJob("loop[1].box", live)).contains(new StepKey("loop[1].box.inner.b"));
    }

    @Test
    void redoesAGroupFromItsFirstStep() {
        RunOfFlow run = new RunOfFlow(BLOCKS, "{}");
        run.start();
        run.succeed("before", "0");
        run.succeed("loop[0].box.a", "1");
        run.succeed("loop[0].box.inner.b", "2");
        run.succeed("loop[1].box.a", "3");
        run.fail("loop[1].box.inner.b", "no");

        Decision decision = run.retry();

        assertThat(decision.jobs()).extracting(job -> job.key().text()).containsExactly("loop[1].box.a");
    }

    @Test
    void redoesAWholeRunThatIsAGroup() {
        RunOfFlow run = new RunOfFlow(
                model(FlowOptions.NONE.onSameWorker(), Model.list(task("a"), task("b"), task("c"))), "{}");
        run.start();
        run.succeed("a", "1");
        run.fail("b", "no");

        assertThat(run.retry().jobs()).extracting(job -> job.key().text()).containsExactly("a");
    }

    private static boolean isEndedBy(String group, String key) {
        return AffinityRules.isEndedBy(group, new StepKey(key));
    }

    private static Optional<String> groupOf(FlowModel model, String key) {
        return model.affinity().groupOf(new StepKey(key));
    }

    private static Step task(String id) {
        return Model.step(
                id, new StepAction.Task(new TaskTarget.HandlerName("h"), Model.value("{}"), TaskOptions.DEFAULT));
    }

    private static StepAction block(StepList steps) {
        return new StepAction.Switch(Optional.empty(), List.of(), Optional.of(steps));
    }

    private static FlowModel model(FlowOptions options, StepList steps) {
        return FlowModel.resolve(
                new FlowDefinition("flow", "", List.of(), steps, options),
                Map.of(),
                new Defaults(Duration.ofMinutes(1)));
    }
}
