package dev.millrace.gateway.run;

import static com.linecorp.armeria.common.HttpStatus.ACCEPTED;
import static com.linecorp.armeria.common.HttpStatus.OK;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.Times;
import dev.millrace.gateway.problem.TraceId;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListIterationsRequest;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.telemetry.Traceparent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that start, list and show runs. */
public final class RunEndpoints {

    private static final String RUNS = "/api/v1/runs";
    private static final String RUN = RUNS + "/{id}";

    private static final Set<String> LIST_PARAMETERS = Set.of(
            "state",
            "kind",
            "name",
            "created_from",
            "created_before",
            "input",
            "output",
            "tag",
            "started_by",
            "include_count",
            "page_size",
            "page_token");

    private static final Set<String> STEP_PARAMETERS =
            Set.of("include_payloads", "step", "fold_loops", "iteration", "page_size", "page_token");

    private static final Set<String> ITERATION_PARAMETERS =
            Set.of("loop", "state", "from_number", "page_size", "page_token");

    private final Scheduler scheduler;

    public RunEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(RUNS, Set.of("wait"), this::submit),
                Endpoint.post(RUNS + ":batch", Set.of(), this::submitMany),
                Endpoint.get(RUNS, LIST_PARAMETERS, this::list),
                Endpoint.get(RUN, Set.of(), this::get),
                Endpoint.get(RUN + "/steps", STEP_PARAMETERS, this::steps),
                Endpoint.get(RUN + "/iterations", ITERATION_PARAMETERS, this::iterations));
    }

    private CompletionStage<HttpResponse> submit(ApiRequest request) {
        var wait = request.wait("wait");
        var spec = Submissions.checked(
                request.json(Submissions.ONE, traced(RunSpec.newBuilder(), TraceId.runContext(request.context()))), "");
        var submission = SubmitRunRequest.newBuilder()
                .setRequestId(request.idempotencyKey())
                .setSpec(spec);
        wait.map(Times::message).ifPresent(submission::setWait);
        var extra = wait.orElse(Duration.ZERO);
        request.extendTimeout(extra);
        var status = wait.isPresent() ? OK : ACCEPTED;
        return scheduler
                .call(request.context(), RunServiceGrpc.getSubmitRunMethod(), submission.build(), extra)
                .thenApply(answer -> Answers.located(
                        status, RUNS + "/" + answer.getRun().getId(), json -> RunJson.answer(json, answer)));
    }

    private CompletionStage<HttpResponse> submitMany(ApiRequest request) {
        var batch = request.json(Submissions.MANY, SubmitRunsRequest.newBuilder());
        var trace = TraceId.runContext(request.context());
        var submission = SubmitRunsRequest.newBuilder().setRequestId(request.idempotencyKey());
        for (int i = 0; i < batch.getSpecsCount(); i++) {
            var spec = traced(batch.getSpecsBuilder(i), trace);
            submission.addSpecs(Submissions.checked(spec, "items[" + i + "]."));
        }
        return scheduler
                .call(request.context(), RunServiceGrpc.getSubmitRunsMethod(), submission.build())
                .thenApply(answer -> Answers.json(ACCEPTED, json -> json.texts("run_ids", answer.getRunIdsList())));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = RunFilters.read(request)
                .addAllInput(request.queryList("input"))
                .addAllOutput(request.queryList("output"))
                .setTag(request.query("tag"))
                .setStartedBy(request.query("started_by"))
                .setIncludeCount(request.flag("include_count"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken());
        return scheduler
                .call(request.context(), RunServiceGrpc.getListRunsMethod(), list.build())
                .thenApply(answer -> Answers.json(json -> RunJson.page(json, answer)));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetRunRequest.newBuilder().setRunId(request.path("id")).build();
        return scheduler
                .call(request.context(), RunServiceGrpc.getGetRunMethod(), get)
                .thenApply(answer -> Answers.json(json -> RunJson.run(json, answer.getRun())));
    }

    private CompletionStage<HttpResponse> steps(ApiRequest request) {
        var list = ListStepsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setIncludePayloads(request.flag("include_payloads"))
                .setStep(request.query("step"))
                .setFoldLoops(request.flag("fold_loops"))
                .setIteration(request.query("iteration"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), RunServiceGrpc.getListStepsMethod(), list)
                .thenApply(answer -> Answers.page(answer.getStepsList(), answer.getNextPageToken(), RunJson::step));
    }

    private CompletionStage<HttpResponse> iterations(ApiRequest request) {
        var list = ListIterationsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setLoop(request.query("loop"))
                .setFromNumber(request.whole("from_number", "0 or more"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken());
        for (var state : request.queryList("state")) {
            list.addStates(EnumNames.parse(Step.State.class, "STATE_", state)
                    .orElseThrow(() -> ApiRequest.wrongQuery(
                            "state",
                            "is \"" + state + "\" (expected: " + EnumNames.known(Step.State.class, "STATE_") + ")")));
        }
        return scheduler
                .call(request.context(), RunServiceGrpc.getListIterationsMethod(), list.build())
                .thenApply(answer -> Answers.json(json -> RunJson.iterations(json, answer)));
    }

    /** Sets the trace context of the request, which is not part of its body. */
    private static RunSpec.Builder traced(RunSpec.Builder spec, String trace) {
        return spec.setTraceparent(Traceparent.headerOf(trace)).setTracestate(Traceparent.stateOf(trace));
    }
}
