package dev.millrace.gateway.testing;

import com.google.protobuf.ByteString;
import com.google.rpc.BadRequest;
import com.google.rpc.BadRequest.FieldViolation;
import com.google.rpc.Code;
import dev.millrace.proto.flow.v1.ConvertFlowRequest;
import dev.millrace.proto.flow.v1.ConvertFlowResponse;
import dev.millrace.proto.flow.v1.DeclaredTrigger;
import dev.millrace.proto.flow.v1.DeleteFlowRequest;
import dev.millrace.proto.flow.v1.DeleteFlowResponse;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowResponse;
import dev.millrace.proto.flow.v1.Flow;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowProblem;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.flow.v1.GetFlowResponse;
import dev.millrace.proto.flow.v1.ListFlowsRequest;
import dev.millrace.proto.flow.v1.ListFlowsResponse;
import dev.millrace.proto.flow.v1.PlanFlowRequest;
import dev.millrace.proto.flow.v1.PlanFlowResponse;
import dev.millrace.proto.flow.v1.ValidateFlowRequest;
import dev.millrace.proto.flow.v1.ValidateFlowResponse;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Flows by path; a definition that contains `bad` has a problem. */
public final class FakeFlows extends FlowServiceGrpc.FlowServiceImplBase {

    public volatile DeployFlowRequest lastDeploy = DeployFlowRequest.getDefaultInstance();

    private final Map<String, Flow> flows = new ConcurrentSkipListMap<>();

    @Override
    public void validateFlow(ValidateFlowRequest request, StreamObserver<ValidateFlowResponse> answer) {
        var response = ValidateFlowResponse.newBuilder().setDialect("millrace").addScriptPaths("split.py");
        if (request.getDefinition().toStringUtf8().contains("bad")) {
            response.addProblems(FlowProblem.newBuilder()
                    .setLine(3)
                    .setColumn(5)
                    .setPath("steps[0]")
                    .setMessage("Bad.")
                    .setRemedy("Do good."));
        }
        answer.onNext(response.build());
        answer.onCompleted();
    }

    @Override
    public void convertFlow(ConvertFlowRequest request, StreamObserver<ConvertFlowResponse> answer) {
        answer.onNext(ConvertFlowResponse.newBuilder()
                .setDefinition(ByteString.copyFromUtf8("millrace: v1"))
                .addScripts(FlowFile.newBuilder().setPath("a.py").setContent(ByteString.copyFromUtf8("pass")))
                .setDialect("openflow")
                .addWarnings(FlowProblem.newBuilder().setMessage("Lost."))
                .build());
        answer.onCompleted();
    }

    @Override
    public void planFlow(PlanFlowRequest request, StreamObserver<PlanFlowResponse> answer) {
        var planned = PlanFlowResponse.newBuilder()
                .setFlow(Flow.newBuilder().setHash("f00d").setPath(request.getPath()))
                .addTriggers(DeclaredTrigger.newBuilder()
                        .setKind("schedule")
                        .setPath("a/b")
                        .setChange(DeclaredTrigger.Change.CHANGE_CREATED));
        Optional.ofNullable(flows.get(request.getPath())).ifPresent(planned::setCurrent);
        answer.onNext(planned.build());
        answer.onCompleted();
    }

    @Override
    public void deployFlow(DeployFlowRequest request, StreamObserver<DeployFlowResponse> answer) {
        lastDeploy = request;
        if (request.getDefinition().toStringUtf8().contains("bad")) {
            var violation = FieldViolation.newBuilder().setField("steps[0]").setDescription("Bad.");
            answer.onError(Refusals.of(
                    Code.INVALID_ARGUMENT,
                    "FLOW_INVALID",
                    "The flow has one problem.",
                    BadRequest.newBuilder().addFieldViolations(violation).build()));
            return;
        }
        var flow = Flow.newBuilder()
                .setHash("f00d")
                .setPath(request.getPath().isEmpty() ? "wordcount" : request.getPath())
                .setWorkspace("default")
                .setDialect("millrace")
                .setDefinition(request.getDefinition())
                .build();
        flows.put(flow.getPath(), flow);
        answer.onNext(DeployFlowResponse.newBuilder()
                .setFlow(flow.toBuilder().clearDefinition())
                .build());
        answer.onCompleted();
    }

    @Override
    public void getFlow(GetFlowRequest request, StreamObserver<GetFlowResponse> answer) {
        var flow = flows.get(request.getPath());
        if (flow == null) {
            answer.onError(Refusals.notFound("flow", request.getPath()));
            return;
        }
        answer.onNext(GetFlowResponse.newBuilder().setFlow(flow).build());
        answer.onCompleted();
    }

    @Override
    public void listFlows(ListFlowsRequest request, StreamObserver<ListFlowsResponse> answer) {
        var response = ListFlowsResponse.newBuilder();
        flows.values().forEach(flow -> response.addFlows(flow.toBuilder().clearDefinition()));
        answer.onNext(response.build());
        answer.onCompleted();
    }

    /** A path that begins with {@code used} is used. */
    @Override
    public void deleteFlow(DeleteFlowRequest request, StreamObserver<DeleteFlowResponse> answer) {
        if (request.getPath().startsWith("used") && !request.getForce()) {
            answer.onError(Refusals.of(Code.FAILED_PRECONDITION, "IN_USE", "It is used by the flow other."));
            return;
        }
        var flow = flows.remove(request.getPath());
        if (flow == null) {
            answer.onError(Refusals.notFound("flow", request.getPath()));
            return;
        }
        answer.onNext(DeleteFlowResponse.newBuilder()
                .setFlow(flow.toBuilder().clearDefinition())
                .build());
        answer.onCompleted();
    }
}
