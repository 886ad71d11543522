package dev.millrace.scheduler.eventtrigger;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.trigger.v1.DeleteTriggerRequest;
import dev.millrace.proto.trigger.v1.EventSource;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.ListTriggerEventsRequest;
import dev.millrace.proto.trigger.v1.PauseTriggerRequest;
import dev.millrace.proto.trigger.v1.PutTriggerRequest;
import dev.millrace.proto.trigger.v1.ResumeTriggerRequest;
import dev.millrace.proto.trigger.v1.Trigger;
import dev.millrace.proto.trigger.v1.TriggerEvent;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests over gRPC, with two schedulers on a real Postgres. */
class EventTriggersTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);

    static {
        SCHEDULER.another();
    }

    private final TriggerServiceGrpc.TriggerServiceBlockingStub triggers =
            TriggerServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @Test
    void aFlowStartsOnceForEachEndOfAnother() {
        flow("first/import", "");
        flow("first/report", "on: {imported: {types: run.succeeded, path: first/import, event_input: event}}");

        List<String> imports =
                IntStream.range(0, 20).mapToObj(_ -> submit("first/import")).toList();

        List<TriggerEvent> history = history("first/report/imported", found -> found.size() >= 20 && settled(found));
        assertThat(history).hasSize(20);
        assertThat(history).extracting(TriggerEvent::getState).containsOnly(TriggerEvent.State.STATE_STARTED);
        assertThat(history).extracting(TriggerEvent::getRunId).doesNotHaveDuplicates();
        assertThat(history)
                .extracting(start -> subject(input(start.getRunId())))
                .containsExactlyInAnyOrderElementsOf(imports);
    }

    @Test
    void aLoopEndsAtTheNamedLimit() {
        flow("loop/a", "on: {itself: {types: run.succeeded, path: loop/a}}");

        submit("loop/a");

        List<TriggerEvent> history = history(
                "loop/a/itself",
                found -> settled(found)
                        && found.stream().anyMatch(start -> !start.getReason().isEmpty()));
        assertThat(history).hasSize(Chains.LENGTH_MAX + 1);
        assertThat(history.getFirst().getState()).isEqualTo(TriggerEvent.State.STATE_REFUSED);
        assertThat(history.getFirst().getReason()).contains("the last of 8", "start each other");
        assertThat(history.subList(1, history.size()))
                .extracting(TriggerEvent::getState)
                .containsOnly(TriggerEvent.State.STATE_STARTED);
    }

    @Test
    void aPausedTriggerCatchesNothingUp() {
        flow("pause/import", "");
        flow("pause/report", "");
        put("pause/late", "pause/report", event("run.*").setPath("pause/import"));
        submit("pause/import");
        int before = history("pause/late", found -> found.size() >= 2 && settled(found))
                .size();
        var _ = triggers.pauseTrigger(PauseTriggerRequest.newBuilder()
                .setKind(Kind.KIND_EVENT)
                .setPath("pause/late")
                .build());
        submit("pause/import");
        var _ = triggers.resumeTrigger(ResumeTriggerRequest.newBuilder()
                .setKind(Kind.KIND_EVENT)
                .setPath("pause/late")
                .build());

        submit("pause/import");

        List<TriggerEvent> history = history("pause/late", found -> found.size() >= 2 * before && settled(found));
        assertThat(history).hasSize(2 * before);
        var _ = triggers.deleteTrigger(DeleteTriggerRequest.newBuilder()
                .setKind(Kind.KIND_EVENT)
                .setPath("pause/late")
                .build());
    }

    @Test
    void aLoopThroughARunThatAStepStartsEndsAtTheSameLimit() {
        flow("through/b", "");
        flow("through/a", "on: {other: {types: run.succeeded, path: through/b}}", "start: {flow: through/b}");

        submit("through/a");

        List<TriggerEvent> history = history(
                "through/a/other",
                found -> settled(found)
                        && found.stream().anyMatch(start -> !start.getReason().isEmpty()));
        assertThat(history).hasSize(Chains.LENGTH_MAX + 1);
        assertThat(history.getFirst().getReason()).contains("the last of 8", "start each other");
    }

    @Test
    void theHistoryTellsThatEventsMayBeMissing() {
        flow("gap/import", "");
        flow("gap/report", "on: {imported: {types: run.succeeded, path: gap/import}}");
        SCHEDULER.database().execute("""
                update event_trigger_reader set position = '0-1-0-1', holder = null, held_until = null
                """);
        flow("gap/other", "on: {never: {types: run.failed, path: gap/other}}");

        submit("gap/import");

        assertThat(history("gap/report/imported", found -> found.size() >= 2 && settled(found)))
                .filteredOn(event -> event.getState() == TriggerEvent.State.STATE_SKIPPED)
                .singleElement()
                .satisfies(event -> assertThat(event.getReason()).startsWith("Events may be missing"));
    }

    /** As after a restore of a dump on another server, whose transactions have lower numbers. */
    @Test
    void aTriggerOfAnotherServerHearsTheEventsOfThisOne() {
        flow("restored/import", "");
        flow("restored/report", "");
        put("restored/late", "restored/report", event("run.succeeded").setPath("restored/import"));
        SCHEDULER.database().execute("""
                update event_trigger set epoch = epoch - 1, since_transaction = 9000000000000000
                where trigger_id = (select id from trigger where path = 'restored/late')
                """);

        submit("restored/import");

        assertThat(history("restored/late", found -> !found.isEmpty() && settled(found)))
                .hasSize(1);
    }

    @Test
    void aWorkerThatComesStartsARun() {
        flow("worker/greets", "");
        put("worker/came", "worker/greets", event("worker.connected"));

        new HandlerWorker(SCHEDULER.channel(), "nothing").welcome();

        assertThat(history("worker/came", found -> !found.isEmpty() && settled(found)))
                .extracting(TriggerEvent::getState)
                .containsOnly(TriggerEvent.State.STATE_STARTED);
    }

    private static EventSource.Builder event(String... types) {
        return EventSource.newBuilder().addAllTypes(List.of(types));
    }

    private void put(String path, String flow, EventSource.Builder event) {
        var _ = triggers.putTrigger(PutTriggerRequest.newBuilder()
                .setPath(path)
                .setTrigger(Trigger.newBuilder()
                        .setRun(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow)))
                        .setEvent(event))
                .build());
    }

    private List<TriggerEvent> history(String path, Predicate<List<TriggerEvent>> wanted) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<TriggerEvent> found = triggers.listTriggerEvents(ListTriggerEventsRequest.newBuilder()
                            .setKind(Kind.KIND_EVENT)
                            .setPath(path)
                            .build())
                    .getEventsList();
            if (wanted.test(found) || System.nanoTime() > end) {
                return found;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static boolean settled(List<TriggerEvent> starts) {
        return starts.stream().noneMatch(start -> start.getState() == TriggerEvent.State.STATE_PENDING);
    }

    private static String subject(String input) {
        JsonValue event = requireNonNull(JsonValue.of(input).members().get("event"));
        return requireNonNull(event.members().get("subject")).string();
    }

    private static String input(String run) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun()
                .getInput()
                .toStringUtf8();
    }

    private static String submit(String flow) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow)))
                        .build())
                .getRun()
                .getId();
    }

    private static void flow(String path, String declared) {
        flow(path, declared, "value: 1");
    }

    private static void flow(String path, String declared, String step) {
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: %s
                                inputs: {event: {type: object, default: {}}}
                                %s
                                steps:
                                  - {id: a, %s}
                                """.formatted(path, declared, step)))
                        .build());
    }
}
