package dev.millrace.gateway.signal;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.GetWaitLinkRequest;
import dev.millrace.proto.signal.v1.RevokeWaitLinksRequest;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.proto.signal.v1.UseWaitLinkRequest;
import dev.millrace.proto.signal.v1.WaitLink;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Endpoints for signed links, with which people answer a step. GET on a link changes nothing, since mail programs and
 * chats open links automatically; POST answers. The token of a link decides, whatever the workspace of its run. A browser
 * that opens a link is led to the page of the console which shows the wait and answers.
 */
public final class WaitLinkEndpoints {

    private static final String RUNS = "/api/v1/runs/";
    private static final String RUN = RUNS + "{id}";
    private static final String LINKS = RUN + "/wait-links";
    private static final String LINK = LINKS + "/{token}";

    private static final JsonFields<CreateWaitLinksRequest.Builder> CREATE = new JsonFields<
                    CreateWaitLinksRequest.Builder>()
            .field("step", (json, create) -> create.setStep(json.text()))
            .field("actors", (json, create) -> json.items(() -> create.addActors(json.text())))
            .field("valid_for", (json, create) -> create.setValidFor(json.duration()));

    private static final JsonFields<UseWaitLinkRequest.Builder> USE =
            new JsonFields<UseWaitLinkRequest.Builder>().field("payload", (json, use) -> use.setPayload(json.raw()));

    private static final JsonFields<RevokeWaitLinksRequest.Builder> REVOKE = new JsonFields<
                    RevokeWaitLinksRequest.Builder>()
            .required("step", (json, revoke) -> revoke.setStep(json.text()))
            .field("actors", (json, revoke) -> json.items(() -> revoke.addActors(json.text())));

    private final Scheduler scheduler;

    public WaitLinkEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(LINKS, Set.of(), this::create),
                Endpoint.post(LINKS + ":revoke", Set.of(), this::revoke),
                Endpoint.get(LINK, Set.of(), this::look).shared(),
                Endpoint.post(LINK, Set.of(), this::use).shared());
    }

    private CompletionStage<HttpResponse> create(ApiRequest request) {
        var run = request.path("id");
        var create = request.json(CREATE, CreateWaitLinksRequest.newBuilder())
                .setRunId(run)
                .build();
        return scheduler
                .call(request.context(), SignalServiceGrpc.getCreateWaitLinksMethod(), create)
                .thenApply(created ->
                        Answers.page(created.getWaitLinksList(), "", (json, link) -> write(json, link, run)));
    }

    private CompletionStage<HttpResponse> revoke(ApiRequest request) {
        var revoke = request.json(REVOKE, RevokeWaitLinksRequest.newBuilder())
                .setRunId(request.path("id"))
                .build();
        return scheduler
                .call(request.context(), SignalServiceGrpc.getRevokeWaitLinksMethod(), revoke)
                .thenApply(revoked -> Answers.json(json -> json.time("revoke_time", revoked.getRevokeTime())));
    }

    private CompletionStage<HttpResponse> look(ApiRequest request) {
        if (isOpened(request)) {
            return CompletableFuture.completedFuture(HttpResponse.of(ResponseHeaders.builder(HttpStatus.SEE_OTHER)
                    .set(HttpHeaderNames.LOCATION, page(request))
                    .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT.toString())
                    .build()));
        }
        var get = GetWaitLinkRequest.newBuilder()
                .setRunId(request.path("id"))
                .setToken(request.path("token"))
                .build();
        return scheduler
                .call(request.context(), SignalServiceGrpc.getGetWaitLinkMethod(), get)
                .thenApply(found -> Answers.json(json -> {
                    json.text("answer", EnumNames.json(found.getAnswer(), "ANSWER_"));
                    json.text("step", found.getStep());
                    json.text("actor", found.getActor());
                    json.time("expire_time", found.getExpireTime());
                    if (found.hasWait()) {
                        json.object("wait", wait -> WaitJson.write(wait, found.getWait()));
                    }
                }));
    }

    /** Whether a person opens the link in a browser: browsers ask for HTML by name, programs do not. */
    private static boolean isOpened(ApiRequest request) {
        return request.context()
                .request()
                .headers()
                .get(HttpHeaderNames.ACCEPT, "")
                .contains("text/html");
    }

    /** Address of the console's page for a link, relative because only a proxy knows its prefix. */
    private static String page(ApiRequest request) {
        return "../../../../../approvals/" + request.path("id") + "/" + request.path("token");
    }

    private CompletionStage<HttpResponse> use(ApiRequest request) {
        var use = request.optionalJson(USE, UseWaitLinkRequest.newBuilder())
                .setRunId(request.path("id"))
                .setToken(request.path("token"))
                .build();
        return scheduler
                .call(request.context(), SignalServiceGrpc.getUseWaitLinkMethod(), use)
                .thenApply(used -> Answers.json(json -> {
                    json.text("step", used.getStep());
                    json.flag("kept", used.getKept());
                }));
    }

    private static void write(JsonWriter json, WaitLink link, String run) {
        json.text("actor", link.getActor());
        json.text("accept_path", path(run, link.getAcceptToken()));
        json.text("deny_path", path(run, link.getDenyToken()));
        json.time("expire_time", link.getExpireTime());
    }

    private static String path(String run, String token) {
        return RUNS + run + "/wait-links/" + token;
    }
}
