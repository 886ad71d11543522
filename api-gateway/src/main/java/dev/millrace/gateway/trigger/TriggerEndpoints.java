package dev.millrace.gateway.trigger;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.run.Submissions;
import dev.millrace.proto.trigger.v1.DeleteTriggerRequest;
import dev.millrace.proto.trigger.v1.GetTriggerRequest;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.ListTriggerEventsRequest;
import dev.millrace.proto.trigger.v1.ListTriggersRequest;
import dev.millrace.proto.trigger.v1.PauseTriggerRequest;
import dev.millrace.proto.trigger.v1.PutTriggerRequest;
import dev.millrace.proto.trigger.v1.ResumeTriggerRequest;
import dev.millrace.proto.trigger.v1.TestWebhookRequest;
import dev.millrace.proto.trigger.v1.Trigger;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Endpoints for triggers of events from outside. */
public final class TriggerEndpoints {

    private static final String OF_KIND = "/api/v1/triggers/{kind}";
    private static final String ONE = OF_KIND + "/{*path}";
    private static final String EVENTS = "/api/v1/trigger-events/{kind}/{*path}";
    private static final String TESTS = "/api/v1/webhook-tests/{*path}";
    private static final String KIND_PREFIX = "KIND_";

    private static final Set<String> PAGE = Set.of("page_size", "page_token");

    private static final JsonFields<AtomicBoolean> PAUSE =
            new JsonFields<AtomicBoolean>().required("paused", (json, paused) -> paused.set(json.bool()));

    private final Scheduler scheduler;

    public TriggerEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(OF_KIND, PAGE, this::list),
                Endpoint.put(ONE, Set.of(), this::put),
                Endpoint.get(ONE, Set.of("version"), this::get),
                Endpoint.patch(ONE, Set.of(), this::pause),
                Endpoint.delete(ONE, Set.of(), this::delete),
                Endpoint.get(EVENTS, PAGE, this::events),
                Endpoint.post(TESTS, Set.of(), this::test));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListTriggersRequest.newBuilder()
                .setKind(kind(request))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), TriggerServiceGrpc.getListTriggersMethod(), list)
                .thenApply(page -> Answers.page(page.getTriggersList(), page.getNextPageToken(), TriggerJson::write));
    }

    private CompletionStage<HttpResponse> put(ApiRequest request) {
        var written = request.json(TriggerJson.FIELDS, Trigger.newBuilder());
        var _ = Submissions.checked(written.getRunBuilder(), "run.");
        var trigger = written.build();
        var named = request.path("kind");
        if (!trigger.getSourceCase().name().toLowerCase(Locale.ROOT).equals(named)) {
            throw new ProblemException(Problem.invalidField(
                    named, "is missing (expected: an object that says what the trigger listens to)"));
        }
        var put = PutTriggerRequest.newBuilder()
                .setPath(request.path("path"))
                .setTrigger(trigger)
                .build();
        return scheduler
                .call(request.context(), TriggerServiceGrpc.getPutTriggerMethod(), put)
                .thenApply(answer -> answer(answer.getTrigger()));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetTriggerRequest.newBuilder()
                .setKind(kind(request))
                .setPath(request.path("path"))
                .setVersion(request.whole("version", "1 or more"))
                .build();
        return scheduler
                .call(request.context(), TriggerServiceGrpc.getGetTriggerMethod(), get)
                .thenApply(found -> Answers.json(json -> {
                    TriggerJson.write(json, found.getTrigger());
                    json.array("changes", found.getChangesList(), TriggerJson::write);
                }));
    }

    private CompletionStage<HttpResponse> pause(ApiRequest request) {
        if (request.json(PAUSE, new AtomicBoolean()).get()) {
            var pause = PauseTriggerRequest.newBuilder()
                    .setKind(kind(request))
                    .setPath(request.path("path"))
                    .build();
            return scheduler
                    .call(request.context(), TriggerServiceGrpc.getPauseTriggerMethod(), pause)
                    .thenApply(paused -> answer(paused.getTrigger()));
        }
        var resume = ResumeTriggerRequest.newBuilder()
                .setKind(kind(request))
                .setPath(request.path("path"))
                .build();
        return scheduler
                .call(request.context(), TriggerServiceGrpc.getResumeTriggerMethod(), resume)
                .thenApply(resumed -> answer(resumed.getTrigger()));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteTriggerRequest.newBuilder()
                .setKind(kind(request))
                .setPath(request.path("path"))
                .build();
        return scheduler
                .call(request.context(), TriggerServiceGrpc.getDeleteTriggerMethod(), delete)
                .thenApply(deleted -> answer(deleted.getTrigger()));
    }

    private CompletionStage<HttpResponse> events(ApiRequest request) {
        var list = ListTriggerEventsRequest.newBuilder()
                .setKind(kind(request))
                .setPath(request.path("path"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), TriggerServiceGrpc.getListTriggerEventsMethod(), list)
                .thenApply(page -> Answers.page(page.getEventsList(), page.getNextPageToken(), TriggerJson::write));
    }

    private CompletionStage<HttpResponse> test(ApiRequest request) {
        var test = TestWebhookRequest.newBuilder()
                .setPath(request.path("path"))
                .setCall(HookEndpoint.call(request))
                .build();
        return scheduler
                .call(request.context(), TriggerServiceGrpc.getTestWebhookMethod(), test)
                .thenApply(tested -> Answers.json(json -> {
                    json.raw("input", tested.getInput());
                    json.optionalText("message", tested.getMessage());
                }));
    }

    private static HttpResponse answer(Trigger trigger) {
        return Answers.json(json -> TriggerJson.write(json, trigger));
    }

    private static Kind kind(ApiRequest request) {
        var name = request.path("kind");
        return EnumNames.parse(Kind.class, KIND_PREFIX, name)
                .orElseThrow(() -> new ProblemException(Problem.invalidField(
                        "kind", "is \"" + name + "\" (expected: " + EnumNames.known(Kind.class, KIND_PREFIX) + ")")));
    }
}
