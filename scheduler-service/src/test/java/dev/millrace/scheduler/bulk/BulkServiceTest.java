package dev.millrace.scheduler.bulk;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.operation.v1.BulkOperation;
import dev.millrace.proto.operation.v1.BulkOperationRun;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.CancelBulkOperationRequest;
import dev.millrace.proto.operation.v1.GetBulkOperationRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationsRequest;
import dev.millrace.proto.operation.v1.ListRunOperationsRequest;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.RunFilter;
import dev.millrace.proto.operation.v1.RunIds;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BulkServiceTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler().withWorkspaces("listed");

    private static final OperationNote NOTE =
            OperationNote.newBuilder().setActor("ann").setReason("tidy up").build();

    @Test
    void doesAnOperationToAllRunsOfAFlow() {
        List<String> meant = submitFlow("bulk/meant", 250);
        List<String> others = submitFlow("bulk/other", 2);

        BulkOperation accepted = start(request -> request.setOperation(OperationKind.OPERATION_KIND_CANCEL)
                .setNote(NOTE)
                .setFilter(RunFilter.newBuilder().setFlowPath("bulk/meant")));
        BulkOperation ended = awaitEnd(accepted.getId());

        assertThat(accepted.getTotal()).isEqualTo(meant.size());
        assertThat(ended.getState()).isEqualTo(BulkOperation.State.STATE_ENDED);
        assertThat(ended.getDone()).isEqualTo(meant.size());
        assertThat(ended.hasEndTime()).isTrue();
        assertThat(states(meant)).containsExactly(Run.State.STATE_CANCELED);
        assertThat(states(others)).doesNotContain(Run.State.STATE_CANCELED);
        var recorded = SCHEDULER
                .operations()
                .listRunOperations(ListRunOperationsRequest.newBuilder()
                        .setRunId(meant.getFirst())
                        .build())
                .getOperations(0);
        assertThat(recorded.getOperation()).isEqualTo(OperationKind.OPERATION_KIND_CANCEL);
        assertThat(recorded.getNote().getActor()).isEqualTo("ann");
        assertThat(recorded.getNote().getReason()).isEqualTo("tidy up");
        assertThat(recorded.getNote().getRequestId()).isEqualTo("bulk:" + accepted.getId());
    }

    @Test
    void selectsByInputAndTagLikeAList() {
        deploy("bulk/ordered", "inputs: {order: {type: object}}, ", "{id: a, handler: nobody}");
        List<String> meant = submit(spec("bulk/ordered", "{\"order\": {\"id\": 7}}"), 3);
        List<String> others = submit(spec("bulk/ordered", "{\"order\": {\"id\": 8}}"), 2);
        List<String> namesakes = submit(
                handler(
                        "bulk/ordered",
                        spec -> spec.setTag("bulk-gpu").setInput(ByteString.copyFromUtf8("{\"order\": {\"id\": 7}}"))),
                1);
        RunFilter byInput = RunFilter.newBuilder()
                .addInput("order.id=7")
                .addInput("order~x")
                .build();

        assertThat(selected(byInput)).isEmpty();
        assertThat(selected(
                        byInput.toBuilder().clearInput().addInput("order.id=7").setFlowPath("bulk/ordered")))
                .containsExactlyInAnyOrderElementsOf(meant);
        assertThat(selected(RunFilter.newBuilder().addInput("order.id=7").setName("bulk/ordered")))
                .containsExactlyInAnyOrderElementsOf(concat(meant, namesakes));
        assertThat(selected(RunFilter.newBuilder().setTag("bulk-gpu"))).containsExactlyElementsOf(namesakes);
        assertThat(selected(RunFilter.newBuilder().setName("bulk/ordered").addInput("order.id=8")))
                .containsExactlyInAnyOrderElementsOf(others);
    }

    @Test
    void refusesAFilterThatNoListWouldTake() {
        assertThat(refused(request -> request.setOperation(OperationKind.OPERATION_KIND_CANCEL)
                        .setFilter(RunFilter.newBuilder()
                                .setFlowPath("a")
                                .setName("b")
                                .addInput("no condition"))))
                .containsExactlyInAnyOrder("filter.name", "filter.input[0]");
    }

    @Test
    void saysForEachRunWhyItRefused() {
        String live = submit(1).getFirst();
        String unknown = UUID.randomUUID().toString();

        BulkOperation ended = awaitEnd(start(request -> request.setOperation(OperationKind.OPERATION_KIND_RETRY)
                        .setRunIds(
                                RunIds.newBuilder().addIds(live).addIds(unknown).addIds(live)))
                .getId());

        assertThat(ended.getTotal()).isEqualTo(2);
        assertThat(ended.getFailed()).isEqualTo(2);
        List<BulkOperationRun> failed = items(ended.getId(), BulkOperationRun.State.STATE_FAILED);
        assertThat(failed)
                .extracting(BulkOperationRun::getRunId, BulkOperationRun::getErrorCode)
                .containsExactlyInAnyOrder(tuple(live, "RUN_STATE_UNSUITABLE"), tuple(unknown, "RUN_NOT_FOUND"));
        assertThat(failed).allSatisfy(item -> assertThat(item.getErrorMessage()).contains(item.getRunId()));
        assertThat(items(ended.getId(), BulkOperationRun.State.STATE_DONE)).isEmpty();
    }

    @Test
    void knowsNoRunByTheIdOfAStep() {
        String run = submitFlow("bulk/steps", 1, "{id: each, for_each: [1], steps: [{id: a, value: 1}]}")
                .getFirst();
        SCHEDULER
                .runs()
                .watchRun(WatchRunRequest.newBuilder().setRunId(run).build())
                .forEachRemaining(_ -> {});
        List<String> steps =
                SCHEDULER
                        .runs()
                        .listSteps(ListStepsRequest.newBuilder().setRunId(run).build())
                        .getStepsList()
                        .stream()
                        .map(Step::getJobId)
                        .filter(id -> !id.equals(run))
                        .toList();
        assertThat(steps).hasSizeGreaterThan(1);

        BulkOperation ended = awaitEnd(start(request -> request.setOperation(OperationKind.OPERATION_KIND_RESTART)
                        .setRunIds(RunIds.newBuilder().addAllIds(steps)))
                .getId());

        assertThat(items(ended.getId()))
                .extracting(BulkOperationRun::getErrorCode)
                .hasSameSizeAs(steps)
                .containsOnly("RUN_NOT_FOUND");
        for (String step : steps) {
            assertThat(reason(failure(() -> get(step)))).isEqualTo("RUN_NOT_FOUND");
        }
        assertThat(SCHEDULER
                        .runs()
                        .listRuns(ListRunsRequest.getDefaultInstance())
                        .getRunsList())
                .extracting(Run::getId)
                .contains(run)
                .doesNotContainAnyElementsOf(steps);
    }

    @Test
    void namesTheRunsThatItBegan() {
        List<String> originals = submit(3);

        BulkOperation ended = awaitEnd(start(request -> request.setOperation(OperationKind.OPERATION_KIND_RESTART)
                        .setRunIds(RunIds.newBuilder().addAllIds(originals)))
                .getId());

        List<BulkOperationRun> done = items(ended.getId());
        assertThat(done).extracting(BulkOperationRun::getRunId).containsExactlyInAnyOrderElementsOf(originals);
        assertThat(done)
                .allSatisfy(
                        item -> assertThat(get(item.getNewRunId()).getOrigin().getRunId())
                                .isEqualTo(item.getRunId()));
    }

    @Test
    void rerunsManyWithAnotherVersionAndAnotherInputOfTheStep() {
        String script = "{id: a, handler: nobody}";
        List<String> fitting = submitFlow("bulk/mended", 2, "inputs: {n: {type: number, default: 1}}, ", script);
        String broken = submit(spec("bulk/mended", "{\"n\": 1.5}"), 1).getFirst();
        String other = submitFlow("bulk/not-mended", 1, script).getFirst();
        String mended = deploy("bulk/mended", "inputs: {n: {type: integer, default: 1}}, ", script);

        BulkOperation ended = awaitEnd(start(request -> request.setOperation(OperationKind.OPERATION_KIND_RERUN)
                        .setStep("a")
                        .setFlowHash(mended)
                        .setStepInput(ByteString.copyFromUtf8("{\"by\": \"hand\"}"))
                        .setRunIds(RunIds.newBuilder()
                                .addAllIds(fitting)
                                .addIds(broken)
                                .addIds(other)))
                .getId());

        assertThat(ended.getFlowHash()).isEqualTo(mended);
        assertThat(ended.getHasStepInput()).isTrue();
        List<BulkOperationRun> done = items(ended.getId(), BulkOperationRun.State.STATE_DONE);
        assertThat(done).extracting(BulkOperationRun::getRunId).containsExactlyInAnyOrderElementsOf(fitting);
        for (BulkOperationRun item : done) {
            assertThat(get(item.getNewRunId()).getTarget().getFlowHash()).isEqualTo(mended);
            assertThat(SCHEDULER
                            .runs()
                            .listSteps(ListStepsRequest.newBuilder()
                                    .setRunId(item.getNewRunId())
                                    .setIncludePayloads(true)
                                    .build())
                            .getStepsList())
                    .filteredOn(step -> step.getKey().equals("a"))
                    .extracting(step -> step.getInput().toStringUtf8())
                    .containsExactly("{\"by\": \"hand\"}");
        }
        assertThat(items(ended.getId(), BulkOperationRun.State.STATE_FAILED))
                .extracting(BulkOperationRun::getRunId, BulkOperationRun::getErrorCode)
                .containsExactlyInAnyOrder(tuple(broken, "INVALID_REQUEST"), tuple(other, "INVALID_REQUEST"));
    }

    @Test
    void endsAtOnceWhereNoRunFits() {
        BulkOperation accepted = start(request -> request.setOperation(OperationKind.OPERATION_KIND_PAUSE)
                .setFilter(RunFilter.newBuilder().setFlowPath("bulk/nowhere")));

        assertThat(accepted.getState()).isEqualTo(BulkOperation.State.STATE_ENDED);
        assertThat(accepted.getTotal()).isZero();
        StatusRuntimeException refused =
                failure(() -> bulks().cancelBulkOperation(CancelBulkOperationRequest.newBuilder()
                        .setBulkOperationId(accepted.getId())
                        .build()));
        assertThat(reason(refused)).isEqualTo("BULK_OPERATION_ENDED");
    }

    @Test
    void beginsOnceHoweverOftenItIsAskedFor() {
        List<String> runs = submit(2);
        UnaryOperator<StartBulkOperationRequest.Builder> pause =
                request -> request.setOperation(OperationKind.OPERATION_KIND_PAUSE)
                        .setNote(NOTE.toBuilder().setRequestId("once"))
                        .setRunIds(RunIds.newBuilder().addAllIds(runs));
        BulkOperation first = start(pause);

        assertThat(start(pause).getId()).isEqualTo(first.getId());
        StatusRuntimeException reused = failure(() -> start(
                request -> pause.apply(request).setRunIds(RunIds.newBuilder().addIds(runs.getFirst()))));
        assertThat(reason(reused)).isEqualTo("REQUEST_ID_REUSED");
    }

    @Test
    void listsOperationsNewestFirst() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(start(request -> request.setWorkspace("listed")
                            .setOperation(OperationKind.OPERATION_KIND_CANCEL)
                            .setFilter(RunFilter.getDefaultInstance()))
                    .getId());
        }
        Collections.reverse(ids);

        var first = bulks().listBulkOperations(ListBulkOperationsRequest.newBuilder()
                .setWorkspace("listed")
                .setPageSize(2)
                .build());
        var second = bulks().listBulkOperations(ListBulkOperationsRequest.newBuilder()
                .setWorkspace("listed")
                .setPageSize(2)
                .setPageToken(first.getNextPageToken())
                .build());

        assertThat(first.getBulkOperationsList())
                .extracting(BulkOperation::getId)
                .containsExactlyElementsOf(ids.subList(0, 2));
        assertThat(second.getBulkOperationsList())
                .extracting(BulkOperation::getId)
                .containsExactly(ids.getLast());
        assertThat(second.getNextPageToken()).isEmpty();
    }

    @Test
    void refusesWhatItCannotUse() {
        RunFilter all = RunFilter.getDefaultInstance();

        assertThat(refused(request -> request.setOperation(OperationKind.OPERATION_KIND_UNSPECIFIED)
                        .setFilter(all)))
                .containsExactly("operation");
        assertThat(refused(request ->
                        request.setOperation(OperationKind.OPERATION_KIND_PIN).setFilter(all)))
                .containsExactly("operation");
        assertThat(refused(request -> request.setOperation(OperationKind.OPERATION_KIND_PAUSE)
                        .setStep("a")
                        .setFilter(all)))
                .containsExactly("step");
        assertThat(refused(request ->
                        request.setOperation(OperationKind.OPERATION_KIND_SKIP).setFilter(all)))
                .containsExactly("step");
        assertThat(refused(request -> request.setOperation(OperationKind.OPERATION_KIND_RESTART)
                        .setFilter(all)))
                .containsExactly("filter.states");
        assertThat(refused(request -> request.setOperation(OperationKind.OPERATION_KIND_PAUSE)))
                .containsExactly("run_ids");
        assertThat(refused(request -> request.setOperation(OperationKind.OPERATION_KIND_PAUSE)
                        .setRunIds(RunIds.newBuilder().addIds("nonsense"))))
                .containsExactly("run_ids[0]");
        assertThat(refused(request -> request.setOperation(OperationKind.OPERATION_KIND_SKIP)
                        .setStep("a")
                        .setResult(ByteString.copyFromUtf8("{nope"))
                        .setFilter(all)))
                .containsExactly("result");
        assertThat(refused(request -> request.setOperation(OperationKind.OPERATION_KIND_RESTART)
                        .setFlowHash("a")
                        .setStepInput(ByteString.copyFromUtf8("{}"))
                        .setFilter(all)))
                .containsExactly("flow_hash", "step_input");
        UnaryOperator<StartBulkOperationRequest.Builder> rerun =
                request -> request.setOperation(OperationKind.OPERATION_KIND_RERUN)
                        .setStep("a")
                        .setFilter(all);
        assertThat(refused(request -> rerun.apply(request).setStepInput(ByteString.copyFromUtf8("[1]"))))
                .containsExactly("step_input");
        assertThat(reason(failure(() -> start(request -> rerun.apply(request).setFlowHash("unknown")))))
                .isEqualTo("FLOW_NOT_FOUND");
    }

    @Test
    void saysThatThereIsNoSuchOperation() {
        StatusRuntimeException unknown = failure(() -> bulks().getBulkOperation(GetBulkOperationRequest.newBuilder()
                .setBulkOperationId(UUID.randomUUID().toString())
                .build()));

        assertThat(reason(unknown)).isEqualTo("BULK_OPERATION_NOT_FOUND");
    }

    private static BulkOperationServiceGrpc.BulkOperationServiceBlockingStub bulks() {
        return BulkOperationServiceGrpc.newBlockingStub(SCHEDULER.channel()).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    private static BulkOperation start(UnaryOperator<StartBulkOperationRequest.Builder> request) {
        return bulks().startBulkOperation(
                        request.apply(StartBulkOperationRequest.newBuilder()).build())
                .getBulkOperation();
    }

    private static BulkOperation awaitEnd(String id) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        BulkOperation bulk;
        do {
            bulk = bulks().getBulkOperation(GetBulkOperationRequest.newBuilder()
                            .setBulkOperationId(id)
                            .build())
                    .getBulkOperation();
        } while (!bulk.hasEndTime() && System.nanoTime() < end);
        assertThat(bulk.hasEndTime()).as("the end of %s", bulk).isTrue();
        return bulk;
    }

    private static List<BulkOperationRun> items(String id, BulkOperationRun.State... states) {
        return bulks().listBulkOperationRuns(ListBulkOperationRunsRequest.newBuilder()
                        .setBulkOperationId(id)
                        .addAllStates(List.of(states))
                        .setPageSize(1_000)
                        .build())
                .getRunsList();
    }

    /** The runs that an operation with this filter applies to. */
    private static List<String> selected(RunFilter.Builder filter) {
        return selected(filter.build());
    }

    private static List<String> selected(RunFilter filter) {
        BulkOperation bulk = awaitEnd(start(request ->
                        request.setOperation(OperationKind.OPERATION_KIND_PAUSE).setFilter(filter))
                .getId());
        return items(bulk.getId()).stream().map(BulkOperationRun::getRunId).toList();
    }

    private static List<String> concat(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static List<String> refused(UnaryOperator<StartBulkOperationRequest.Builder> request) {
        return violatedFields(failure(() -> start(request)));
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }

    private static List<String> submit(int count) {
        return submit(handler("nobody", UnaryOperator.identity()), count);
    }

    private static List<String> submitFlow(String path, int count) {
        return submitFlow(path, count, "{id: a, handler: nobody}");
    }

    private static List<String> submitFlow(String path, int count, String step) {
        return submitFlow(path, count, "", step);
    }

    private static List<String> submitFlow(String path, int count, String inputs, String step) {
        deploy(path, inputs, step);
        return submit(spec(path, "{}"), count);
    }

    private static RunSpec spec(String path, String input) {
        return RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowPath(path))
                .setInput(ByteString.copyFromUtf8(input))
                .build();
    }

    /** @param inputs entries of the definition, each with a comma behind it */
    private static String deploy(String path, String inputs, String step) {
        return SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath(path)
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(
                                "{millrace: v1, name: " + path + ", " + inputs + "steps: [" + step + "]}"))
                        .build())
                .getFlow()
                .getHash();
    }

    private static List<String> submit(RunSpec spec, int count) {
        return SCHEDULER
                .runs()
                .submitRuns(SubmitRunsRequest.newBuilder()
                        .addAllSpecs(Collections.nCopies(count, spec))
                        .build())
                .getRunIdsList();
    }

    private static Run get(String id) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(id).build())
                .getRun();
    }

    private static Set<Run.State> states(List<String> runs) {
        return runs.stream().map(run -> get(run).getState()).collect(Collectors.toSet());
    }
}
