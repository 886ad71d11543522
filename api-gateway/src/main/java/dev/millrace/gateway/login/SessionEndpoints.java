package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.millrace.gateway.access.Credential;
import dev.millrace.gateway.access.SessionCookie;
import dev.millrace.gateway.access.Site;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.problem.Problems;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.identity.v1.CreateSessionRequest;
import dev.millrace.proto.identity.v1.CreateSessionResponse;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Endpoints that make a cookie of a token that somebody pastes, and that end the session of a browser. */
public final class SessionEndpoints {

    private static final JsonFields<StringBuilder> TOKEN =
            new JsonFields<StringBuilder>().required("token", (json, token) -> token.append(json.text()));

    private final Scheduler scheduler;
    private final Site site;
    private final Problems problems;

    public SessionEndpoints(Scheduler scheduler, Site site, Problems problems) {
        this.scheduler = scheduler;
        this.site = site;
        this.problems = problems;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post("/api/v1/session", Set.of(), this::create).shared(),
                Endpoint.post(LoginEndpoints.LOGIN, Set.of(), this::logIn),
                Endpoint.post("/logout", Set.of(), this::logOut));
    }

    private CompletionStage<HttpResponse> create(ApiRequest request) {
        return session(request, request.json(TOKEN, new StringBuilder()).toString())
                .thenApply(session -> HttpResponse.of(
                        ResponseHeaders.builder(HttpStatus.CREATED)
                                .contentType(MediaType.JSON)
                                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                                .set(HttpHeaderNames.SET_COOKIE, cookie(request, session))
                                .build(),
                        HttpData.wrap(JsonWriter.object(json -> {
                            json.text("user", session.getToken().getPrincipal());
                            json.time("expire_time", session.getToken().getExpireTime());
                        }))));
    }

    private CompletionStage<HttpResponse> logIn(ApiRequest request) {
        var form = Form.of(request);
        var returnTo = ReturnPath.of(form.text("return_to"));
        return session(request, form.text("token"))
                .thenApply(session -> Redirect.to(Redirect.address("./", returnTo), cookie(request, session)))
                .exceptionally(failure -> {
                    var problem = problems.of(request.context(), failure);
                    return TokenForm.page(problem.status(), returnTo, problem.detail());
                });
    }

    private CompletableFuture<CreateSessionResponse> session(ApiRequest request, String token) {
        return scheduler.callAs(
                Optional.of(token.strip()),
                request.context(),
                TokenServiceGrpc.getCreateSessionMethod(),
                CreateSessionRequest.getDefaultInstance());
    }

    private String cookie(ApiRequest request, CreateSessionResponse session) {
        return SessionCookie.keeping(
                session.getSecret(), SessionAge.of(session.getToken()), site.isSecure(request.context()));
    }

    /** Revokes the token in the cookie, so that a copy of the cookie is useless, too. */
    private CompletionStage<HttpResponse> logOut(ApiRequest request) {
        var gone = HttpResponse.of(ResponseHeaders.builder(HttpStatus.NO_CONTENT)
                .set(HttpHeaderNames.SET_COOKIE, SessionCookie.removing(site.isSecure(request.context())))
                .build());
        if (!(Credential.of(request.context(), site) instanceof Credential.Cookie(var token))) {
            return CompletableFuture.completedFuture(gone);
        }
        return scheduler
                .callAs(
                        Optional.of(token),
                        request.context(),
                        TokenServiceGrpc.getRevokeTokenMethod(),
                        RevokeTokenRequest.getDefaultInstance())
                .handle((_, failure) -> {
                    if (failure == null || Status.fromThrowable(failure).getCode() == Status.Code.UNAUTHENTICATED) {
                        return gone;
                    }
                    // The session goes on, and the caller learns why.
                    throw new CompletionException(failure);
                });
    }
}
