package dev.millrace.scheduler.submission;

import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InputSchemaTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static String order = "";

    @BeforeAll
    static void deployFlow() {
        order = deploy("""
                millrace: v1
                name: order
                inputs:
                  express: {type: boolean, default: false}
                input_schema:
                  type: object
                  required: [items]
                  properties:
                    express: {const: false}
                    items:
                      type: array
                      minItems: 1
                      items: {$ref: "#/$defs/item"}
                  additionalProperties: false
                  $defs:
                    item:
                      type: object
                      required: [name]
                      properties:
                        name: {type: string, pattern: "^[a-z]+$"}
                        count: {type: integer, minimum: 1}
                steps:
                  - {id: all, value: "${{ inputs }}"}
                """);
    }

    @Test
    void takesAnInputThatFitsWithItsDefaults() {
        Run run = submit("{\"items\": [{\"name\": \"tea\", \"count\": 2}]}");

        assertThat(run.getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        assertThat(run.getOutput().toStringUtf8()).contains("\"express\":false");
    }

    @Test
    void namesThePlaceTheRuleAndWhatToDo() {
        StatusRuntimeException refused = failure(
                "{\"items\": [{\"name\": \"tea\"}, {\"name\": \"T\", \"count\": 0}, {}], \"note\": 1, \"express\": false}");

        assertThat(violatedFields(refused))
                .containsExactlyInAnyOrder(
                        "spec.input.items[1].name", "spec.input.items[1].count", "spec.input.items[2]", "spec.input");
        assertThat(failure("{\"items\": [{\"name\": \"tea\", \"count\": 0}]}"))
                .hasMessageContaining(
                        "spec.input.items[0].count: The input \"items[0].count\" does not fit the flow's input_schema: "
                                + "it must be at least 1 (rule #/$defs/item/properties/count/minimum). "
                                + "Change the input so that it fits, or correct the schema in the flow.");
        assertThat(failure("{}"))
                .hasMessageContaining("spec.input: The input does not fit the flow's input_schema: "
                        + "it lacks \"items\" (rule #/required). Add it.");
    }

    @Test
    void looksAtWhatIsDeclaredFirst() {
        assertThat(failure("{\"express\": \"yes\"}"))
                .hasMessageContaining("The input \"express\" is a string (expected: a boolean).");
    }

    private static String deploy(String definition) {
        return SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build())
                .getFlow()
                .getHash();
    }

    private static Run submit(String input) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowHash(order))
                                .setInput(ByteString.copyFromUtf8(input)))
                        .setWait(Duration.newBuilder().setSeconds(20))
                        .build())
                .getRun();
    }

    private static StatusRuntimeException failure(String input) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> submit(input));
    }
}
