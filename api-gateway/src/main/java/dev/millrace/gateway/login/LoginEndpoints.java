package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import dev.millrace.gateway.access.SessionCookie;
import dev.millrace.gateway.access.Site;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.problem.Problems;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.login.v1.BeginLoginRequest;
import dev.millrace.proto.login.v1.FinishLoginRequest;
import dev.millrace.proto.login.v1.GetLoginOptionsRequest;
import dev.millrace.proto.login.v1.LoginServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Login of browsers at the OpenID Connect provider. The scheduler knows the provider and decides; the gateway keeps
 * nothing between the steps.
 */
public final class LoginEndpoints {

    static final String LOGIN = "/login";
    private static final String CALLBACK = LOGIN + "/callback";
    /** Lead from the addresses of the login and of the callback to the root of the gateway. */
    private static final String ROOT_OF_LOGIN = "./";

    private static final String ROOT_OF_CALLBACK = "../";
    private static final String BY_TOKEN = "token";

    /** In place of what an address says that anybody may have made up. */
    private static final String NOT_BEGUN = "No login was begun in this browser of late: begin it again.";

    /** What providers add to the address of the callback, beside what we need. */
    private static final Set<String> CALLBACK_QUERY = Set.of(
            "code",
            "state",
            "iss",
            "error",
            "error_description",
            "error_uri",
            "session_state",
            "scope",
            "authuser",
            "hd",
            "prompt");

    private final Scheduler scheduler;
    private final Site site;
    private final Problems problems;

    public LoginEndpoints(Scheduler scheduler, Site site, Problems problems) {
        this.scheduler = scheduler;
        this.site = site;
        this.problems = problems;
    }

    public List<Endpoint> all() {
        var style = HttpData.wrap(resource("style.css"));
        return List.of(
                Endpoint.get(LOGIN, Set.of("return_to", "method"), this::begin),
                Endpoint.get(CALLBACK, CALLBACK_QUERY, this::finish),
                Endpoint.get(
                        LOGIN + "/style.css",
                        Set.of(),
                        _ -> CompletableFuture.completedFuture(
                                HttpResponse.of(HttpStatus.OK, MediaType.CSS_UTF_8, style))));
    }

    private CompletionStage<HttpResponse> begin(ApiRequest request) {
        var returnTo = ReturnPath.of(request.query("return_to"));
        if (request.query("method").equals(BY_TOKEN)) {
            return CompletableFuture.completedFuture(TokenForm.page(HttpStatus.OK, returnTo, ""));
        }
        // An old cookie is no obstacle to a new login, so no credential is shown.
        return scheduler
                .callAs(
                        Optional.empty(),
                        request.context(),
                        LoginServiceGrpc.getGetLoginOptionsMethod(),
                        GetLoginOptionsRequest.getDefaultInstance())
                .thenCompose(options -> options.getIssuer().isEmpty()
                        ? CompletableFuture.completedFuture(TokenForm.page(HttpStatus.OK, returnTo, ""))
                        : toProvider(request, returnTo))
                .exceptionally(failure -> failed(request, failure, ROOT_OF_LOGIN, returnTo));
    }

    private CompletionStage<HttpResponse> toProvider(ApiRequest request, String returnTo) {
        var begin = BeginLoginRequest.newBuilder()
                .setRedirectUri(site.address(request.context()) + CALLBACK)
                .setReturnTo(returnTo)
                .build();
        return scheduler
                .callAs(Optional.empty(), request.context(), LoginServiceGrpc.getBeginLoginMethod(), begin)
                .thenApply(begun -> Redirect.to(
                        begun.getAuthorizationUrl(),
                        TransactionCookie.keeping(begun.getTransaction(), site.isSecure(request.context()))));
    }

    private CompletionStage<HttpResponse> finish(ApiRequest request) {
        boolean isSecure = site.isSecure(request.context());
        var transaction = TransactionCookie.find(request.context().request().headers(), isSecure);
        if (!request.query("error").isEmpty()) {
            return CompletableFuture.completedFuture(failure(
                    HttpStatus.FORBIDDEN,
                    transaction.isPresent() ? refusal(request) : NOT_BEGUN,
                    ROOT_OF_CALLBACK,
                    ReturnPath.START));
        }
        var finish = FinishLoginRequest.newBuilder()
                .setTransaction(transaction.orElse("none"))
                .setState(request.query("state"))
                .setCode(request.query("code"))
                .setIssuer(request.query("iss"))
                .build();
        return scheduler
                .callAs(Optional.empty(), request.context(), LoginServiceGrpc.getFinishLoginMethod(), finish)
                .thenApply(finished -> Redirect.to(
                        Redirect.address(ROOT_OF_CALLBACK, ReturnPath.of(finished.getReturnTo())),
                        SessionCookie.keeping(finished.getSecret(), SessionAge.of(finished.getToken()), isSecure),
                        TransactionCookie.removing(isSecure)))
                .exceptionally(failure -> failed(request, failure, ROOT_OF_CALLBACK, ReturnPath.START));
    }

    private static String refusal(ApiRequest request) {
        var description = request.query("error_description");
        return "The provider has refused the login: " + request.query("error")
                + (description.isBlank() ? "." : ": " + description);
    }

    private HttpResponse failed(ApiRequest request, Throwable failure, String root, String returnTo) {
        var problem = problems.of(request.context(), failure);
        return failure(problem.status(), problem.detail(), root, returnTo);
    }

    private static HttpResponse failure(HttpStatus status, String detail, String root, String returnTo) {
        var tokenForm = LOGIN + "?"
                + QueryParams.of("method", BY_TOKEN, "return_to", returnTo).toQueryString();
        return Page.of(
                root,
                status,
                "You are not logged in",
                "<p class=\"failure\">" + Page.escape(detail) + "</p>\n<p><a href=\""
                        + Page.escape(Redirect.address(root, Redirect.login(returnTo)))
                        + "\">Log in again</a> or <a href=\""
                        + Page.escape(Redirect.address(root, tokenForm)) + "\">log in by a token</a></p>");
    }

    private static byte[] resource(String name) {
        try (var in = Objects.requireNonNull(LoginEndpoints.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + name + ".", e);
        }
    }
}
