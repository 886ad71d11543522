package dev.millrace.gateway.flow;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.flow.v1.DeleteFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.flow.v1.ListFlowsRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that validate, convert, deploy, show and delete flows. */
public final class FlowEndpoints {

    private static final String FLOWS = "/api/v1/flows";

    private final Scheduler scheduler;

    public FlowEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(FLOWS + ":validate", Set.of(), this::validate),
                Endpoint.post(FLOWS + ":plan", Set.of(), this::plan),
                Endpoint.post(FLOWS + ":convert", Set.of(), this::convert).shared(),
                Endpoint.post(FLOWS, Set.of(), this::deploy),
                Endpoint.get(FLOWS, Set.of("page_size", "page_token"), this::list),
                Endpoint.get(FLOWS + "/{*path}", Set.of("hash"), this::get),
                Endpoint.delete(FLOWS + "/{*path}", Set.of("force"), this::delete));
    }

    private CompletionStage<HttpResponse> validate(ApiRequest request) {
        var validate = FlowBodies.validation(request.json(FlowBodies.DEPLOY, DeployFlowRequest.newBuilder()));
        return scheduler
                .call(request.context(), FlowServiceGrpc.getValidateFlowMethod(), validate)
                .thenApply(answer -> Answers.json(json -> {
                    json.array("problems", answer.getProblemsList(), FlowBodies::problem);
                    json.array("warnings", answer.getWarningsList(), FlowBodies::problem);
                    json.texts("script_paths", answer.getScriptPathsList());
                    json.text("dialect", answer.getDialect());
                }));
    }

    private CompletionStage<HttpResponse> plan(ApiRequest request) {
        var plan = FlowBodies.plan(request.json(FlowBodies.DEPLOY, DeployFlowRequest.newBuilder()));
        return scheduler
                .call(request.context(), FlowServiceGrpc.getPlanFlowMethod(), plan)
                .thenApply(answer -> Answers.json(json -> {
                    json.object("flow", flow -> FlowBodies.flow(flow, answer.getFlow()));
                    if (answer.hasCurrent()) {
                        json.object("current", flow -> FlowBodies.flow(flow, answer.getCurrent()));
                    }
                    json.array("warnings", answer.getWarningsList(), FlowBodies::problem);
                    json.array("triggers", answer.getTriggersList(), FlowBodies::trigger);
                }));
    }

    private CompletionStage<HttpResponse> convert(ApiRequest request) {
        var convert = FlowBodies.conversion(request.json(FlowBodies.DEPLOY, DeployFlowRequest.newBuilder()));
        return scheduler
                .call(request.context(), FlowServiceGrpc.getConvertFlowMethod(), convert)
                .thenApply(answer -> Answers.json(json -> {
                    json.text("definition", answer.getDefinition().toStringUtf8());
                    json.object(
                            "scripts",
                            scripts ->
                                    FlowBodies.contents(answer.getScriptsList()).forEach(scripts::text));
                    json.text("dialect", answer.getDialect());
                    json.array("warnings", answer.getWarningsList(), FlowBodies::problem);
                }));
    }

    private CompletionStage<HttpResponse> deploy(ApiRequest request) {
        var deploy =
                request.json(FlowBodies.DEPLOY, DeployFlowRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), FlowServiceGrpc.getDeployFlowMethod(), deploy)
                .thenApply(answer -> Answers.located(
                        HttpStatus.CREATED, FLOWS + "/" + answer.getFlow().getPath(), json -> {
                            FlowBodies.flow(json, answer.getFlow());
                            json.array("warnings", answer.getWarningsList(), FlowBodies::problem);
                            json.array("triggers", answer.getTriggersList(), FlowBodies::trigger);
                            json.texts("preparation_run_ids", answer.getPreparationRunIdsList());
                        }));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListFlowsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), FlowServiceGrpc.getListFlowsMethod(), list)
                .thenApply(answer -> Answers.page(answer.getFlowsList(), answer.getNextPageToken(), FlowBodies::flow));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetFlowRequest.newBuilder();
        var hash = request.query("hash");
        var version = hash.isEmpty() ? get.setPath(request.path("path")) : get.setHash(hash);
        return scheduler
                .call(request.context(), FlowServiceGrpc.getGetFlowMethod(), version.build())
                .thenApply(answer -> Answers.json(json -> {
                    FlowBodies.flow(json, answer.getFlow());
                    json.texts("used_by", answer.getUsedByList());
                }));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteFlowRequest.newBuilder()
                .setPath(request.path("path"))
                .setForce(request.flag("force"))
                .build();
        return scheduler
                .call(request.context(), FlowServiceGrpc.getDeleteFlowMethod(), delete)
                .thenApply(answer -> Answers.json(json -> FlowBodies.flow(json, answer.getFlow())));
    }
}
