package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what happens to a run on which Millrace itself fails: in its lane if the expression is plain, otherwise in a
 * preparation.
 */
class BrokenFlowTest {
    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);
    private final FakeWorker worker = scheduler.connect(fixture.ids, 2, "handler:h");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failsTheStepWhoseResultCannotBeFollowed(boolean plain) {
        RunId run = start(plain, OnFailure.FAIL);

        fixture.succeed(scheduler, worker, worker.nextDelivery(), "1");
        assertThat(worker.nextAck().refusal()).isEmpty();
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "2");
        assertThat(worker.nextAck().refusal()).isEmpty();

        assertThat(fixture.history(run)).containsExactly("|2|1|InternalError", "a|2|1|InternalError", "other|1|1|2");
        assertThat(fixture.queued()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsTheRunWhereTheFailureCannotBeFollowedEither(boolean plain) {
        RunId run = start(plain, OnFailure.CONTINUE);
        Delivery a = worker.nextDelivery();
        Delivery other = worker.nextDelivery();

        fixture.succeed(scheduler, worker, a, "1");

        assertThat(worker.nextCancellation().job())
                .isEqualTo(other.lease().job().id());
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run))
                .containsExactly("|2|1|InternalError", "a|2|1|InternalError", "other|3|1|RunEnded");
        assertThat(fixture.queued()).isZero();
        RunId next = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "3");
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(next)).containsExactly("|1|1|3");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsTheRunWhereWhatFollowsAWaitCannotBeWorkedOut(boolean plain) {
        String flow = fixture.flow(
                new Step(
                        "w",
                        List.of(),
                        new StepAction.Wait(new WaitFor.Delay(new Template.Constant(JsonValue.ofString("1h"))))),
                new Step("b", List.of("w"), task(new Template.Whole(new Broken(plain)))));
        RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));

        CompletableFuture<RunId> ended = fixture.events.whenEnded(run);

        scheduler.waitDue(fixture.waits(run).getFirst()).join();
        ended.join();

        assertThat(fixture.history(run)).containsExactly("|2|1|InternalError", "w|3|1|RunEnded");
    }

    /**
     * Starts a run whose steps {@code a} and {@code other} run, and whose step {@code b} cannot start after {@code a}.
     */
    private RunId start(boolean plain, OnFailure onFailure) {
        String flow = fixture.flow(
                new Step("a", List.of(), task(Template.Constant.EMPTY_OBJECT), policy(onFailure)),
                new Step("b", List.of("a"), task(new Template.Whole(new Broken(plain)))),
                new Step("other", List.of(), task(Template.Constant.EMPTY_OBJECT)));
        return fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
    }

    private static StepAction.Task task(Template input) {
        return new StepAction.Task(new TaskTarget.HandlerName("h"), input, TaskOptions.DEFAULT);
    }

    private static StepPolicy policy(OnFailure onFailure) {
        return StepPolicy.NONE.change().onFailure(onFailure).build();
    }

    /** An expression that throws, like a defect of Millrace. */
    private record Broken(boolean isPlain) implements Computed {
        @Override
        public JsonValue evaluate(Scope scope) {
            throw new IllegalStateException("a bug");
        }

        @Override
        public Reads reads() {
            return Reads.NOTHING;
        }
    }
}
