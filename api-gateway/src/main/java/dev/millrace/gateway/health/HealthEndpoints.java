package dev.millrace.gateway.health;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.rpc.Scheduler;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Endpoints that tell an orchestrator whether to restart the gateway (`/livez`) and whether to send it traffic
 * (`/readyz`).
 */
public final class HealthEndpoints {

    /** Name under which the scheduler's health service reports whether its database is durable. */
    private static final String DURABILITY = "millrace.durability";

    private static final String NOT_DURABLE =
            "Postgres may lose accepted runs and results when its machine fails: fsync, full_page_writes or synchronous_commit is off. "
                    + "The scheduler's log names which.";

    private final Scheduler scheduler;
    private final String schedulerTarget;

    public HealthEndpoints(Scheduler scheduler, String schedulerTarget) {
        this.scheduler = scheduler;
        this.schedulerTarget = schedulerTarget;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get("/livez", Set.of(), _ -> CompletableFuture.completedFuture(status("live"))),
                Endpoint.get("/readyz", Set.of(), this::ready));
    }

    /**
     * The gateway is ready if the scheduler reports that it serves. A failed health check is answered like any other
     * failed call.
     */
    private CompletionStage<HttpResponse> ready(ApiRequest request) {
        CompletableFuture<Void> serving = scheduler
                .call(request.context(), HealthGrpc.getCheckMethod(), HealthCheckRequest.getDefaultInstance())
                .thenAccept(this::requireServing);
        return serving.thenCompose(_ -> scheduler.call(
                        request.context(),
                        HealthGrpc.getCheckMethod(),
                        HealthCheckRequest.newBuilder().setService(DURABILITY).build()))
                // An older scheduler does not know this health name.
                .handle((answer, unknown) -> answer != null && answer.getStatus() == ServingStatus.NOT_SERVING)
                .thenCombine(serving, (isRisky, _) -> ready(isRisky));
    }

    private static HttpResponse ready(boolean isRisky) {
        return Answers.json(json -> {
            json.text("status", "ready");
            if (isRisky) {
                json.texts("warnings", List.of(NOT_DURABLE));
            }
        });
    }

    private void requireServing(HealthCheckResponse answer) {
        if (answer.getStatus() == ServingStatus.SERVING) {
            return;
        }
        throw new ProblemException(
                Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "not_ready",
                        "The scheduler at " + schedulerTarget + " is reachable but does not serve ("
                                + answer.getStatus()
                                + "): it is starting, draining, or without its database, or its commits hang. Its log says which."));
    }

    private static HttpResponse status(String status) {
        return Answers.json(json -> json.text("status", status));
    }
}
