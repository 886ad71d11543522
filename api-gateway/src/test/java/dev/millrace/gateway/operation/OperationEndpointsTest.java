package dev.millrace.gateway.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.RerunRunRequest;
import dev.millrace.proto.operation.v1.SkipStepRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

class OperationEndpointsTest extends GatewayTest {

    private static final String RUN = "/api/v1/runs/run-1";
    private static final OperationNote NOTE = OperationNote.newBuilder()
            .setActor("ann")
            .setReason("not needed")
            .setRequestId("k1")
            .build();

    @Test
    void cancelsARunOnceAndRecordsWhoAsked() {
        post("/api/v1/runs", "{\"target\":{\"script\":\"hello.py\"}}");

        var canceled = post(RUN + ":cancel", "{\"reason\":\"not needed\",\"actor\":\"ann\"}", "idempotency-key", "k1");
        var again = send(request(RUN + ":cancel").POST(BodyPublishers.noBody()));

        assertThat(json(canceled).path("state").asText()).isEqualTo("canceled");
        assertThat(json(canceled).path("error").path("message").asText()).isEqualTo("not needed");
        assertThat(scheduler.operations.requests)
                .containsExactly(
                        CancelRunRequest.newBuilder()
                                .setRunId("run-1")
                                .setNote(NOTE)
                                .build(),
                        CancelRunRequest.newBuilder()
                                .setRunId("run-1")
                                .setNote(OperationNote.getDefaultInstance())
                                .build());
        problem(again, 409, "run_ended");
        var recorded = json(get(RUN + "/operations")).path("items");
        assertThat(recorded).hasSize(1);
        assertThat(recorded.path(0).path("operation").asText()).isEqualTo("cancel");
        assertThat(recorded.path(0).path("actor").asText()).isEqualTo("ann");
    }

    @Test
    void tellsWhatHappenedToARun() {
        var entry = json(get(RUN + "/history")).path("items").path(0);

        assertThat(entry.path("kind").asText()).isEqualTo("answer");
        assertThat(entry.path("what").asText()).isEqualTo("approve");
        assertThat(entry.path("who").asText()).isEqualTo("ann");
        assertThat(entry.path("details").has("payload")).isTrue();
        assertThat(entry.has("why")).isFalse();
    }

    @Test
    void namesTheStepToSkipAndTheStepToRerunAtAlike() {
        post(RUN + ":skip", "{\"step\":\"count[3]\",\"result\":7}");
        var rerun = post(RUN + ":rerun", "{\"step\":\"count[3]\",\"flow_hash\":\"abc\",\"step_input\":{\"x\": 1}}");

        assertThat(scheduler.operations.requests)
                .containsExactly(
                        SkipStepRequest.newBuilder()
                                .setRunId("run-1")
                                .setStep("count[3]")
                                .setResult(ByteString.copyFromUtf8("7"))
                                .setNote(OperationNote.getDefaultInstance())
                                .build(),
                        RerunRunRequest.newBuilder()
                                .setRunId("run-1")
                                .setStep("count[3]")
                                .setFlowHash("abc")
                                .setStepInput(ByteString.copyFromUtf8("{\"x\": 1}"))
                                .setNote(OperationNote.getDefaultInstance())
                                .build());
        assertThat(rerun.statusCode()).isEqualTo(202);
        assertThat(rerun.headers().firstValue("location")).hasValue("/api/v1/runs/run-2");
    }
}
