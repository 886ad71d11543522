package dev.millrace.gateway.trigger;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.trigger.v1.ReceiveWebhookRequest;
import dev.millrace.proto.trigger.v1.ReceiveWebhookResponse;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.proto.trigger.v1.WebhookCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The addresses of webhooks. The gateway passes a call on as it is, without a credential: the scheduler decides by the
 * secret of the webhook. They are no part of the REST API, because each webhook says what its callers send and get.
 */
public final class HookEndpoint {

    private static final String HOOK = Endpoint.HOOKS + "{space}/{*path}";

    /** Longest time for which a webhook lets its caller wait; the scheduler has the same limit. */
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);

    private static final int PROBLEM_STATUS_MIN = 400;

    private final Scheduler scheduler;

    public HookEndpoint(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(HOOK, Endpoint.ANY_QUERY, this::receive),
                Endpoint.put(HOOK, Endpoint.ANY_QUERY, this::receive));
    }

    private CompletionStage<HttpResponse> receive(ApiRequest request) {
        request.extendTimeout(WAIT_MAX);
        var received = ReceiveWebhookRequest.newBuilder()
                .setHookWorkspace(request.path("space"))
                .setHookPath(request.path("path"))
                .setCall(call(request))
                .build();
        return scheduler
                .callWithoutCredential(
                        request.context(), TriggerServiceGrpc.getReceiveWebhookMethod(), received, WAIT_MAX)
                .thenApply(HookEndpoint::answer);
    }

    /** The call as it arrived. */
    static WebhookCall call(ApiRequest request) {
        var query = request.context().query();
        var call = WebhookCall.newBuilder()
                .setMethod(request.context().method().name())
                .setQuery(query == null ? "" : query)
                .setBody(ByteString.copyFrom(request.body().array()));
        addHeaders(request.context().request().headers(), call);
        return call.build();
    }

    private static void addHeaders(RequestHeaders headers, WebhookCall.Builder call) {
        headers.forEach((name, value) -> {
            if (name.charAt(0) != ':') {
                call.addHeadersBuilder().setName(name.toString()).setValue(value);
            }
        });
    }

    private static HttpResponse answer(ReceiveWebhookResponse answer) {
        var status = HttpStatus.valueOf(answer.getStatus());
        if (status.code() >= PROBLEM_STATUS_MIN) {
            throw new ProblemException(new Problem(
                    status,
                    answer.getCode(),
                    answer.getDetail(),
                    List.of(),
                    answer.getRetryAfterSeconds() == 0 ? null : Duration.ofSeconds(answer.getRetryAfterSeconds())));
        }
        if (answer.getBody().isEmpty()) {
            return Answers.json(status, json -> json.optionalText("run_id", answer.getRunId()));
        }
        var headers = ResponseHeaders.builder(status)
                .contentType(MediaType.JSON)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        if (!answer.getRunId().isEmpty()) {
            headers.set("millrace-run-id", answer.getRunId());
        }
        return HttpResponse.of(headers.build(), HttpData.wrap(answer.getBody().toByteArray()));
    }
}
