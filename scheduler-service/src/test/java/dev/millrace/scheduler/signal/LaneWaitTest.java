package dev.millrace.scheduler.signal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.Reception;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LaneWaitTest {
    private static final int RACES = 100;
    private static final Step TASK = new Step(
            "a",
            List.of(),
            new StepAction.Task(new TaskTarget.HandlerName("h"), Template.Constant.EMPTY_OBJECT, TaskOptions.DEFAULT));

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);

    @Test
    void endsATimedWaitOnceEvenIfSeveralSchedulersFindItDue() {
        OneScheduler other = fixture.start(2);
        RunId run = begin(new WaitFor.Delay(text("1h")));
        DueWait due = fixture.waits(run).getFirst();

        CompletableFuture.allOf(scheduler.waitDue(due), other.waitDue(due), scheduler.waitDue(due))
                .join();

        assertThat(fixture.history(run)).containsExactly("|1|1|null", "w|1|1|null");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void endsAWaitThatAnotherSchedulerBegan() {
        OneScheduler other = fixture.start(1);
        RunId run = fixture.submit(
                scheduler,
                fixture.flowRun(fixture.flow(wait("w", signal("go", 1)), wait("x", signal("go", 1), "w")), "{}"));

        Reception first = send(other, run, named("go", "1"));
        Reception second = send(scheduler, run, named("go", "2"));

        assertThat(List.of(first, second)).allMatch(Reception.Ended.class::isInstance);
        assertThat(fixture.history(run))
                .contains(
                        "w|1|1|{\"payload\":1,\"payloads\":[1],\"approvers\":[]}",
                        "x|1|1|{\"payload\":2,\"payloads\":[2],\"approvers\":[]}");
    }

    @Test
    void keepsASignalForALaterWait() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run =
                fixture.submit(scheduler, fixture.flowRun(fixture.flow(TASK, wait("w", signal("go", 2), "a")), "{}"));
        Delivery task = worker.nextDelivery();

        Reception early = send(scheduler, run, named("go", "\"early\""));
        fixture.succeed(scheduler, worker, task, "1");
        worker.nextAck();
        Reception late = send(scheduler, run, named("go", "\"late\""));

        assertThat(early).isInstanceOf(Reception.Kept.class);
        assertThat(late).isInstanceOf(Reception.Ended.class);
        assertThat(fixture.history(run))
                .contains("w|1|1|{\"payload\":\"late\",\"payloads\":[\"early\",\"late\"],\"approvers\":[]}");
    }

    @Test
    void losesNoSignalThatCrossesTheBeginningOfItsWait() {
        OneScheduler other = fixture.start(1);
        FakeWorker worker = scheduler.connect(fixture.ids, RACES, "handler:h");
        String flow = fixture.flow(TASK, wait("w", signal("go", 1), "a"), wait("x", signal("go", 1), "w"));
        for (int race = 0; race < RACES; race++) {
            RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
            Delivery task = worker.nextDelivery();

            CompletableFuture<SignalResult> here = scheduler.send(run, named("go", "1"));
            CompletableFuture<SignalResult> there = other.send(run, named("go", "2"));
            fixture.succeed(scheduler, worker, task, "1");
            worker.nextAck();
            CompletableFuture.allOf(here, there).join();

            assertThat(fixture.history(run)).as("race %d", race).hasSize(4);
        }
    }

    @Test
    void countsARepeatedSignalOnce() {
        RunId run = begin(signal("go", 2));
        RunSignal signal = named("go", "1");

        Reception first = send(scheduler, run, signal);
        Reception again = send(fixture.start(1), run, signal);
        Reception second = send(scheduler, run, named("go", "2"));

        assertThat(first).isInstanceOf(Reception.Counted.class);
        assertThat(again).isInstanceOf(Reception.Repeated.class);
        assertThat(second).isInstanceOf(Reception.Ended.class);
    }

    @Test
    void knowsARepeatedSignalAfterTheEndOfItsRun() {
        RunId run = begin(signal("go", 1));
        RunSignal signal = named("go", "1");

        CompletableFuture<SignalResult> first = scheduler.send(run, signal);
        CompletableFuture<SignalResult> beside = scheduler.send(run, signal);
        Reception later = send(scheduler, run, signal);
        Reception elsewhere = send(fixture.start(1), run, signal);

        assertThat(List.of(((SignalResult.Received) first.join()).reception()))
                .hasOnlyElementsOfType(Reception.Ended.class);
        assertThat(beside.join()).isEqualTo(new SignalResult.Received(new Reception.Repeated()));
        assertThat(List.of(later, elsewhere)).containsOnly(new Reception.Repeated());
        assertThat(scheduler.send(run, named("go", "1")).join()).isEqualTo(new SignalResult.RunEnded());
    }

    @Test
    void countsEachPersonOnceAndNamesThem() {
        RunId run = begin(approval(2, WaitEnd.FAIL, WaitEnd.FAIL));

        send(scheduler, run, person("ann", SignalKind.RESUME, "{}"));
        Reception again = send(scheduler, run, person("ann", SignalKind.RESUME, "{}"));
        send(scheduler, run, person("bob", SignalKind.RESUME, "{}"));

        assertThat(again).isInstanceOf(Reception.Repeated.class);
        assertThat(fixture.history(run))
                .contains("w|1|1|{\"payload\":{},\"payloads\":[{},{}],\"approvers\":[\"ann\",\"bob\"]}");
    }

    @Test
    void failsOrContinuesAfterADenial() {
        RunId fails = begin(approval(1, WaitEnd.FAIL, WaitEnd.FAIL));
        RunId goesOn = begin(approval(1, WaitEnd.FAIL, WaitEnd.CONTINUE));

        send(scheduler, fails, person("ann", SignalKind.DENY, "\"no\""));
        send(scheduler, goesOn, person("ann", SignalKind.DENY, "\"no\""));

        assertThat(fixture.history(fails)).containsExactly("|2|1|Denied", "w|2|1|Denied");
        assertThat(fixture.history(goesOn))
                .contains("w|1|1|{\"denied\":true,\"payload\":\"no\",\"payloads\":[],\"approvers\":[]}");
    }

    @Test
    void failsOrContinuesAtItsTimeLimit() {
        RunId fails = begin(approval(2, WaitEnd.FAIL, WaitEnd.FAIL));
        RunId goesOn = begin(approval(2, WaitEnd.CONTINUE, WaitEnd.FAIL));
        send(scheduler, goesOn, person("ann", SignalKind.RESUME, "1"));

        scheduler.waitDue(fixture.waits(fails).getFirst()).join();
        scheduler.waitDue(fixture.waits(goesOn).getFirst()).join();

        assertThat(fixture.history(fails)).containsExactly("|2|1|TimedOut", "w|2|1|TimedOut");
        assertThat(fixture.history(goesOn))
                .contains("w|1|1|{\"timed_out\":true,\"payload\":1,\"payloads\":[1],\"approvers\":[\"ann\"]}");
    }

    @Test
    void explainsWhyASignalIsNotAccepted() {
        RunId run = begin(approval(1, WaitEnd.FAIL, WaitEnd.FAIL));
        RunId job = fixture.submit(
                scheduler, fixture.handlerRun("h", "{}", dev.millrace.scheduler.queue.core.RetryPolicy.NONE));
        RunId ended = begin(signal("go", 1));
        send(scheduler, ended, named("go", "1"));

        assertThat(send(scheduler, run, signal(new Address.Step("x"), SignalKind.RESUME, "1", "")))
                .isEqualTo(new Reception.NobodyWaits(List.of("w")));
        assertThat(send(scheduler, run, person("ann", SignalKind.COMPLETE, "1")))
                .isInstanceOf(Reception.WrongKind.class);
        assertThat(scheduler.send(job, named("go", "1")).join()).isEqualTo(new SignalResult.NoFlow());
        assertThat(scheduler.send(ended, named("go", "1")).join()).isEqualTo(new SignalResult.RunEnded());
        assertThat(scheduler.send(fixture.ids.nextRun(), named("go", "1")).join())
                .isEqualTo(new SignalResult.UnknownRun());
    }

    @Test
    void cancelsAWaitingRun() {
        RunId run = begin(signal("go", 1));

        assertThat(fixture.operate(scheduler, run, new RunOperation.Cancel(), ""))
                .isEqualTo(new OperationResult.Done(true));
        assertThat(fixture.history(run)).containsExactly("|3|1|Canceled", "w|3|1|Canceled");
        assertThat(fixture.queued()).isZero();
    }

    private RunId begin(WaitFor wait) {
        return fixture.submit(scheduler, fixture.flowRun(fixture.flow(wait("w", wait)), "{}"));
    }

    private static Step wait(String id, WaitFor wait, String... needs) {
        return new Step(id, List.of(needs), new StepAction.Wait(wait));
    }

    private static WaitFor signal(String name, int required) {
        return events(EventKind.SIGNAL, name, required, WaitEnd.FAIL, WaitEnd.FAIL);
    }

    private static WaitFor approval(int required, WaitEnd onTimeout, WaitEnd onDenial) {
        return events(EventKind.APPROVAL, "", required, onTimeout, onDenial);
    }

    private static WaitFor events(EventKind kind, String name, int required, WaitEnd onTimeout, WaitEnd onDenial) {
        return new WaitFor.Events(
                kind,
                text(name),
                required,
                Template.Constant.NULL,
                Optional.of(Duration.ofHours(1)),
                onTimeout,
                onDenial);
    }

    private static Template text(String text) {
        return new Template.Constant(JsonValue.ofString(text));
    }

    private RunSignal named(String name, String payload) {
        return signal(new Address.Name(name), SignalKind.RESUME, payload, "");
    }

    private RunSignal person(String who, SignalKind kind, String payload) {
        return signal(new Address.Step("w"), kind, payload, who);
    }

    private RunSignal signal(Address address, SignalKind kind, String payload, String who) {
        UUID id = fixture.ids.nextUuid();
        return new RunSignal(id, address, kind, new Json(payload), who, id.toString());
    }

    private static Reception send(OneScheduler to, RunId run, RunSignal signal) {
        return ((SignalResult.Received) to.send(run, signal).join()).reception();
    }
}
