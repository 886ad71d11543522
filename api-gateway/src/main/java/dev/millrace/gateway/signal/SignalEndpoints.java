package dev.millrace.gateway.signal;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import dev.millrace.proto.signal.v1.ListPendingWaitsRequest;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that list what runs wait for, and accept signals and the answers of people. */
public final class SignalEndpoints {

    private static final String RUN = "/api/v1/runs/{id}";

    private static final JsonFields<SendSignalRequest.Builder> SIGNAL = new JsonFields<SendSignalRequest.Builder>()
            .field("name", (json, signal) -> signal.setName(json.text()))
            .field("payload", (json, signal) -> signal.setPayload(json.raw()))
            .field("actor", (json, signal) -> signal.setActor(json.text()));

    private static final JsonFields<AnswerWaitRequest.Builder> ANSWER = new JsonFields<AnswerWaitRequest.Builder>()
            .field("step", (json, answer) -> answer.setStep(json.text()))
            .field("payload", (json, answer) -> answer.setPayload(json.raw()))
            .field("actor", (json, answer) -> answer.setActor(json.text()));

    private final Scheduler scheduler;

    public SignalEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(RUN + "/waits", Set.of("page_size", "page_token"), this::list),
                Endpoint.get("/api/v1/pending-waits", Set.of("page_size", "page_token"), this::listPending),
                Endpoint.post(RUN + ":signal", Set.of(), this::signal),
                answering("approve", Answer.ANSWER_APPROVE),
                answering("deny", Answer.ANSWER_DENY),
                answering("complete", Answer.ANSWER_COMPLETE));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListWaitsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), SignalServiceGrpc.getListWaitsMethod(), list)
                .thenApply(answer -> Answers.page(answer.getWaitsList(), answer.getNextPageToken(), WaitJson::write));
    }

    private CompletionStage<HttpResponse> listPending(ApiRequest request) {
        var list = ListPendingWaitsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), SignalServiceGrpc.getListPendingWaitsMethod(), list)
                .thenApply(answer -> Answers.page(answer.getWaitsList(), answer.getNextPageToken(), WaitJson::write));
    }

    private CompletionStage<HttpResponse> signal(ApiRequest request) {
        var signal = request.json(SIGNAL, SendSignalRequest.newBuilder())
                .setRunId(request.path("id"))
                .setRequestId(request.idempotencyKey())
                .build();
        return scheduler
                .call(request.context(), SignalServiceGrpc.getSendSignalMethod(), signal)
                .thenApply(sent -> Answers.json(json -> json.text("step", sent.getStep())));
    }

    private Endpoint answering(String verb, Answer answer) {
        return Endpoint.post(RUN + ":" + verb, Set.of(), request -> {
            var message = request.optionalJson(ANSWER, AnswerWaitRequest.newBuilder())
                    .setRunId(request.path("id"))
                    .setAnswer(answer)
                    .setRequestId(request.idempotencyKey())
                    .build();
            return scheduler
                    .call(request.context(), SignalServiceGrpc.getAnswerWaitMethod(), message)
                    .thenApply(answered -> Answers.json(json -> json.text("step", answered.getStep())));
        });
    }
}
