package dev.millrace.scheduler.flow;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody starts a flow by another flow that they could not start themselves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StartRightsTest {
    private static final String COMPUTED =
            "inputs: {which: {type: string}}, steps: [{id: a, start: {flow: '${{ inputs.which }}'}}]";

    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    StartRightsTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "steps: [{id: a, start: {flow: pay/charge}}]",
                "steps: [{id: a, start: {flow: charge}}]",
                "steps: [{id: a, flow: pay/charge, as: run}]",
                "steps: [{id: a, for_each: '${{ [1] }}', steps: [{id: b, start: {flow: pay/charge}}]}]",
                "failure_flow: pay/charge, steps: [{id: a, handler: x}]",
                "on_failure: {steps: [{id: b, start: {flow: pay/charge}}]}, steps: [{id: a, handler: x}]",
                "inputs: {which: {type: string}}, steps: [{id: a, start: {flow: 'pay/${{ inputs.which }}'}}]",
                "inputs: {which: {type: string}}, steps: [{id: a, start: {flow: 'sho${{ inputs.which }}/x'}}]",
                COMPUTED,
            })
    void aDeveloperOfOneFolderStartsNoFlowElsewhere(String definition) {
        String shop = calls.user("default", "shop", Role.ROLE_DEVELOPER);

        StatusRuntimeException refusal = refusal(shop, definition);

        assertThat(reason(refusal)).isEqualTo("PERMISSION_DENIED");
        assertThat(refusal).hasMessageContaining("\"shop/sly\"").hasMessageContaining("role runner");
        deploy(calls.owner(), "shop/sly", definition);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "steps: [{id: a, start: {flow: shop/other}}]",
                "steps: [{id: a, start: {flow: shop/other@3}}]",
                "inputs: {which: {type: string}}, steps: [{id: a, start: {flow: 'shop/${{ inputs.which }}'}}]",
            })
    void flowsOfTheOwnFolderMayBeStarted(String definition) {
        assertThat(deploy(calls.user("default", "shop", Role.ROLE_DEVELOPER), "shop/fair", definition))
                .isNotEmpty();
    }

    @Test
    void aRunnerElsewhereMayStartFlowsThere() {
        String shop = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        String definition = "steps: [{id: a, start: {flow: pay/charge}}]";
        assertThat(reason(refusal(shop, definition))).isEqualTo("PERMISSION_DENIED");

        calls.grant("default", "pay", "user:" + calls.name(shop), Role.ROLE_RUNNER);

        assertThat(deploy(shop, "shop/sly", definition)).isNotEmpty();
        assertThat(reason(refusal(shop, COMPUTED))).isEqualTo("PERMISSION_DENIED");
    }

    /** A version keeps what whoever stored it may start, so those who name it by its hash are checked again. */
    @Test
    void aVersionGivesNoRightsToThoseWhoRunItByItsHash() {
        String shop = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        String hash = deploy(calls.owner(), "shop/old", COMPUTED);

        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, () -> submit(shop, hash));

        assertThat(refusal).isNotNull();
        assertThat(reason(refusal)).isEqualTo("PERMISSION_DENIED");
        assertThat(refusal).hasMessageContaining("computes which flow it starts");
        assertThat(submit(calls.owner(), hash)).isNotEmpty();
    }

    private StatusRuntimeException refusal(String token, String definition) {
        StatusRuntimeException refusal =
                catchThrowableOfType(StatusRuntimeException.class, () -> deploy(token, "shop/sly", definition));
        assertThat(refusal).as("the flow was deployed").isNotNull();
        return refusal;
    }

    private String deploy(String token, String path, String definition) {
        return FlowServiceGrpc.newBlockingStub(calls.with(token))
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath(path)
                        .setFileName("f.yaml")
                        .setDefinition(
                                ByteString.copyFromUtf8("{millrace: v1, name: " + path + ", " + definition + "}"))
                        .build())
                .getFlow()
                .getHash();
    }

    private String submit(String token, String hash) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowHash(hash))
                                .setInput(ByteString.copyFromUtf8("{\"which\":\"pay/charge\"}")))
                        .build())
                .getRun()
                .getId();
    }
}
