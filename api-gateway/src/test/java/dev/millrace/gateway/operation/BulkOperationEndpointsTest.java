package dev.millrace.gateway.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.operation.v1.BulkOperationRun;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.RunFilter;
import dev.millrace.proto.operation.v1.RunIds;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.run.v1.Run;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BulkOperationEndpointsTest extends GatewayTest {

    private static final String BULKS = "/api/v1/bulk-operations";

    @Test
    void startsAnOperationOnTheRunsThatFit() {
        var answer = post(BULKS, """
                {"operation": "skip", "step": "a", "result": {"n": 1.0}, "reason": "why", "actor": "ann", "filter":
                 {"flow": "f", "states": ["queued", "failed"], "created_from": "2026-01-31T08:00:00Z",
                  "created_before": "2026-02-01T08:00:00+01:00"}}""", "idempotency-key", "k1");

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.headers().firstValue("location")).hasValue(BULKS + "/b1");
        assertThat(scheduler.bulks.requests)
                .containsExactly(StartBulkOperationRequest.newBuilder()
                        .setOperation(OperationKind.OPERATION_KIND_SKIP)
                        .setStep("a")
                        .setResult(ByteString.copyFromUtf8("{\"n\": 1.0}"))
                        .setNote(OperationNote.newBuilder()
                                .setActor("ann")
                                .setReason("why")
                                .setRequestId("k1"))
                        .setFilter(RunFilter.newBuilder()
                                .setFlowPath("f")
                                .addStates(Run.State.STATE_QUEUED)
                                .addStates(Run.State.STATE_FAILED)
                                .setCreatedFrom(time("2026-01-31T08:00:00Z"))
                                .setCreatedBefore(time("2026-02-01T07:00:00Z")))
                        .build());
    }

    @Test
    void selectsRunsByWhatListsLookFor() {
        post(BULKS, """
                {"operation": "cancel", "filter":
                 {"name": "f", "input": ["a=1", "b~c"], "output": ["d=2"], "tag": "gpu"}}""");

        assertThat(scheduler.bulks.requests)
                .containsExactly(StartBulkOperationRequest.newBuilder()
                        .setOperation(OperationKind.OPERATION_KIND_CANCEL)
                        .setNote(OperationNote.getDefaultInstance())
                        .setFilter(RunFilter.newBuilder()
                                .setName("f")
                                .addInput("a=1")
                                .addInput("b~c")
                                .addOutput("d=2")
                                .setTag("gpu"))
                        .build());
    }

    @Test
    void startsAnOperationOnRunsThatAreNamed() {
        post(BULKS, "{\"operation\": \"pause\", \"run_ids\": [\"r1\", \"r2\"]}");

        assertThat(scheduler.bulks.requests)
                .containsExactly(StartBulkOperationRequest.newBuilder()
                        .setOperation(OperationKind.OPERATION_KIND_PAUSE)
                        .setNote(OperationNote.getDefaultInstance())
                        .setRunIds(RunIds.newBuilder().addIds("r1").addIds("r2"))
                        .build());
    }

    @Test
    void startsRerunsWithAnotherVersionAndAnotherInputOfTheStep() {
        post(BULKS, """
                {"operation": "rerun", "step": "a", "flow_hash": "h", "step_input": {"n": 1.0}, "run_ids": ["r1"]}""");

        assertThat(scheduler.bulks.requests)
                .containsExactly(StartBulkOperationRequest.newBuilder()
                        .setOperation(OperationKind.OPERATION_KIND_RERUN)
                        .setStep("a")
                        .setFlowHash("h")
                        .setStepInput(ByteString.copyFromUtf8("{\"n\": 1.0}"))
                        .setNote(OperationNote.getDefaultInstance())
                        .setRunIds(RunIds.newBuilder().addIds("r1"))
                        .build());
    }

    @Test
    void refusesTwoSelectionsAndUnknownStatesAndOperations() {
        problem(
                post(BULKS, "{\"operation\": \"pause\", \"run_ids\": [\"r1\"], \"filter\": {}}"),
                400,
                "invalid_argument");
        problem(
                post(BULKS, "{\"operation\": \"pause\", \"filter\": {\"states\": [\"odd\"]}}"),
                400,
                "invalid_argument");
        problem(get(BULKS + "/b1/runs?state=odd"), 400, "invalid_argument");
        problem(post(BULKS, "{\"operation\": \"skip_step\", \"filter\": {}}"), 400, "invalid_argument");
        assertThat(scheduler.bulks.requests).isEmpty();
    }

    @Test
    void tellsHowFarItHasComeAndWhyRunsRefused() {
        var bulk = json(get(BULKS + "/b1"));
        var runs = json(get(BULKS + "/b1/runs?state=failed&state=left_out"));

        assertThat(bulk.path("state").asText()).isEqualTo("running");
        assertThat(bulk.path("total").asInt()).isEqualTo(3);
        assertThat(bulk.path("done").asInt()).isEqualTo(1);
        assertThat(bulk.has("end_time")).isFalse();
        assertThat(bulk.has("canceled")).isFalse();
        assertThat(runs.at("/items/0/error/code").asText()).isEqualTo("run_ended");
        assertThat(runs.at("/items/1/state").asText()).isEqualTo("left_out");
        assertThat(scheduler.bulks.requests)
                .contains(ListBulkOperationRunsRequest.newBuilder()
                        .setBulkOperationId("b1")
                        .addStates(BulkOperationRun.State.STATE_FAILED)
                        .addStates(BulkOperationRun.State.STATE_LEFT_OUT)
                        .build());
        assertThat(json(get(BULKS)).at("/items/0/id").asText()).isEqualTo("b1");
    }

    @Test
    void cancelsAnOperation() {
        var bulk = json(post(BULKS + "/b1:cancel", "{\"actor\": \"bob\", \"reason\": \"wrong\"}"));

        assertThat(bulk.path("state").asText()).isEqualTo("canceling");
        assertThat(bulk.at("/canceled/actor").asText()).isEqualTo("bob");
    }

    private static Timestamp time(String text) {
        return Timestamp.newBuilder()
                .setSeconds(Instant.parse(text).getEpochSecond())
                .build();
    }
}
