package dev.millrace.gateway.run;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.explain.v1.ExplainRunRequest;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.explain.v1.Explanation;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoint that explains what a run does or waits for. */
public final class ExplainEndpoint {
    private final Scheduler scheduler;

    public ExplainEndpoint(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get("/api/v1/runs/{id}/explanation", Set.of(), this::explain));
    }

    private CompletionStage<HttpResponse> explain(ApiRequest request) {
        var explain =
                ExplainRunRequest.newBuilder().setRunId(request.path("id")).build();
        return scheduler
                .call(request.context(), ExplainServiceGrpc.getExplainRunMethod(), explain)
                .thenApply(answer -> Answers.json(json -> {
                    json.text("summary", answer.getSummary());
                    json.array("steps", answer.getStepsList(), ExplainEndpoint::step);
                    json.integer("steps_left_out", answer.getStepsLeftOut());
                }));
    }

    private static void step(JsonWriter json, Explanation step) {
        json.text("step", step.getStep());
        json.text("cause", EnumNames.json(step.getCause(), "CAUSE_"));
        json.text("text", step.getText());
    }
}
