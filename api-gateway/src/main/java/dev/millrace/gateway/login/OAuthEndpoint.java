package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.problem.Problems;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.login.v1.DeviceServiceGrpc;
import dev.millrace.proto.login.v1.ExchangeTokenRequest;
import dev.millrace.proto.login.v1.PollDeviceRequest;
import dev.millrace.proto.login.v1.PollDeviceResponse;
import dev.millrace.proto.login.v1.TrustServiceGrpc;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The token endpoint for OAuth clients: the token of a program that a user has approved (RFC 8628), and a token in
 * exchange for a JWT (RFC 8693). Refusals have the form of RFC 6749; a scheduler that is not there or too busy is a
 * problem as elsewhere.
 */
public final class OAuthEndpoint {

    private static final String DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final Set<String> SUBJECT_TYPES =
            Set.of("", "urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:id_token");
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

    private final Scheduler scheduler;
    private final Problems problems;

    public OAuthEndpoint(Scheduler scheduler, Problems problems) {
        this.scheduler = scheduler;
        this.problems = problems;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post("/api/v1/oauth/token", Set.of(), this::token).shared());
    }

    private CompletionStage<HttpResponse> token(ApiRequest request) {
        var form = Form.of(request);
        return switch (form.text("grant_type")) {
            case DEVICE -> poll(request, form);
            case EXCHANGE -> exchange(request, form);
            default ->
                CompletableFuture.completedFuture(refusal(
                        "unsupported_grant_type",
                        "The field grant_type is none of " + DEVICE + " and " + EXCHANGE + "."));
        };
    }

    private CompletionStage<HttpResponse> poll(ApiRequest request, Form form) {
        var poll = PollDeviceRequest.newBuilder()
                .setDeviceCode(form.text("device_code"))
                .build();
        return scheduler
                .callAs(Optional.empty(), request.context(), DeviceServiceGrpc.getPollDeviceMethod(), poll)
                .thenApply(OAuthEndpoint::polled)
                .exceptionally(failure -> refused(request, failure));
    }

    private static HttpResponse polled(PollDeviceResponse answer) {
        return switch (answer.getState()) {
            case STATE_APPROVED -> issued(answer.getSecret(), answer.getToken(), false);
            case STATE_PENDING -> refusal("authorization_pending", "Nobody has decided yet: ask again.");
            case STATE_SLOW_DOWN ->
                refusal("slow_down", "You ask too often: wait 5 seconds longer each time from now on.");
            case STATE_DENIED -> refusal("access_denied", "The user has denied the login.");
            case STATE_EXPIRED, STATE_UNSPECIFIED, UNRECOGNIZED ->
                refusal("expired_token", "The code is unknown, has expired or was used: begin again.");
        };
    }

    private CompletionStage<HttpResponse> exchange(ApiRequest request, Form form) {
        if (!SUBJECT_TYPES.contains(form.text("subject_token_type"))) {
            return CompletableFuture.completedFuture(refusal(
                    "invalid_request", "The field subject_token_type is not urn:ietf:params:oauth:token-type:jwt."));
        }
        var exchange = ExchangeTokenRequest.newBuilder()
                .setJwt(form.text("subject_token"))
                .setWorkspace(form.text("workspace"))
                .setServiceAccount(form.text("service_account"))
                .build();
        return scheduler
                .callAs(Optional.empty(), request.context(), TrustServiceGrpc.getExchangeTokenMethod(), exchange)
                .thenApply(exchanged -> issued(exchanged.getSecret(), exchanged.getToken(), true))
                .exceptionally(failure -> refused(request, failure));
    }

    private static HttpResponse issued(String secret, Token token, boolean isExchanged) {
        return Answers.json(json -> {
            json.text("access_token", secret);
            if (isExchanged) {
                json.text("issued_token_type", ACCESS_TOKEN);
            }
            json.text("token_type", "Bearer");
            json.integer("expires_in", SessionAge.of(token).toSeconds());
        });
    }

    private HttpResponse refused(ApiRequest request, Throwable failure) {
        var problem = problems.of(request.context(), failure);
        return switch (problem.status().code()) {
            case 400, 409 -> refusal("invalid_request", problem.detail());
            case 401, 403 -> refusal("invalid_grant", problem.detail());
            default -> throw new ProblemException(problem);
        };
    }

    private static HttpResponse refusal(String error, String description) {
        return Answers.json(HttpStatus.BAD_REQUEST, json -> {
            json.text("error", error);
            json.text("error_description", description);
        });
    }
}
