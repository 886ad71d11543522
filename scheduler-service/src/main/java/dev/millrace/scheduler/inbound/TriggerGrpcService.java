package dev.millrace.scheduler.inbound;

import com.google.protobuf.ByteString;
import dev.millrace.proto.trigger.v1.DeleteTriggerRequest;
import dev.millrace.proto.trigger.v1.DeleteTriggerResponse;
import dev.millrace.proto.trigger.v1.GetTriggerRequest;
import dev.millrace.proto.trigger.v1.GetTriggerResponse;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.ListTriggerEventsRequest;
import dev.millrace.proto.trigger.v1.ListTriggerEventsResponse;
import dev.millrace.proto.trigger.v1.ListTriggersRequest;
import dev.millrace.proto.trigger.v1.ListTriggersResponse;
import dev.millrace.proto.trigger.v1.PauseTriggerRequest;
import dev.millrace.proto.trigger.v1.PauseTriggerResponse;
import dev.millrace.proto.trigger.v1.PutTriggerRequest;
import dev.millrace.proto.trigger.v1.PutTriggerResponse;
import dev.millrace.proto.trigger.v1.ReceiveWebhookRequest;
import dev.millrace.proto.trigger.v1.ReceiveWebhookResponse;
import dev.millrace.proto.trigger.v1.ResumeTriggerRequest;
import dev.millrace.proto.trigger.v1.ResumeTriggerResponse;
import dev.millrace.proto.trigger.v1.TestWebhookRequest;
import dev.millrace.proto.trigger.v1.TestWebhookResponse;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.ClientAddress;
import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerKind;
import dev.millrace.scheduler.trigger.TriggerProblems;
import dev.millrace.scheduler.webhook.HookAnswer;
import dev.millrace.scheduler.webhook.WebhookProtos;
import dev.millrace.scheduler.webhook.Webhooks;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** gRPC service for triggers of events from outside, and for the calls of webhooks that the gateway passes on. */
public final class TriggerGrpcService extends TriggerServiceGrpc.TriggerServiceImplBase {
    private final InboundTriggers triggers;
    private final Webhooks webhooks;
    private final WorkspaceGate workspaces;
    private final TriggerProblems problems;

    public TriggerGrpcService(
            InboundTriggers triggers, Webhooks webhooks, WorkspaceGate workspaces, TriggerProblems problems) {
        this.triggers = triggers;
        this.webhooks = webhooks;
        this.workspaces = workspaces;
        this.problems = problems;
    }

    @Override
    public void putTrigger(PutTriggerRequest request, StreamObserver<PutTriggerResponse> observer) {
        TriggerKind kind = InboundProtos.kind(request.getTrigger().getSourceCase());
        TriggerKey key = triggers.key(RequestFields.workspace(request.getWorkspace()), kind, request.getPath());
        Trigger put = triggers.put(key, InboundProtos.spec(request.getPath(), request.getTrigger()), Access.current());
        Unary.answer(
                observer,
                PutTriggerResponse.newBuilder()
                        .setTrigger(InboundProtos.message(put))
                        .build());
    }

    @Override
    public void getTrigger(GetTriggerRequest request, StreamObserver<GetTriggerResponse> observer) {
        TriggerKey key = key(RequestFields.workspace(request.getWorkspace()), request.getKind(), request.getPath());
        Trigger found = triggers.of(key.kind()).get(key, request.getVersion());
        Unary.answer(
                observer,
                GetTriggerResponse.newBuilder()
                        .setTrigger(message(found, problems.of(List.of(found.id()))))
                        .addAllChanges(triggers.of(key.kind()).versions(key).stream()
                                .map(InboundProtos::change)
                                .toList())
                        .build());
    }

    @Override
    public void listTriggers(ListTriggersRequest request, StreamObserver<ListTriggersResponse> observer) {
        var page = triggers.of(InboundProtos.kind(request.getKind()))
                .list(
                        RequestFields.workspace(request.getWorkspace()),
                        Access.current(),
                        PageRequest.of(request.getPageSize(), request.getPageToken()));
        Map<TriggerId, String> found =
                problems.of(page.items().stream().map(Trigger::id).toList());
        Unary.answer(
                observer,
                ListTriggersResponse.newBuilder()
                        .addAllTriggers(
                                page.map(trigger -> message(trigger, found)).items())
                        .setNextPageToken(page.nextToken())
                        .build());
    }

    @Override
    public void deleteTrigger(DeleteTriggerRequest request, StreamObserver<DeleteTriggerResponse> observer) {
        Trigger deleted = triggers.delete(
                key(RequestFields.workspace(request.getWorkspace()), request.getKind(), request.getPath()));
        Unary.answer(
                observer,
                DeleteTriggerResponse.newBuilder()
                        .setTrigger(InboundProtos.message(deleted))
                        .build());
    }

    @Override
    public void pauseTrigger(PauseTriggerRequest request, StreamObserver<PauseTriggerResponse> observer) {
        Trigger paused = triggers.pause(
                key(RequestFields.workspace(request.getWorkspace()), request.getKind(), request.getPath()),
                Access.current());
        Unary.answer(
                observer,
                PauseTriggerResponse.newBuilder()
                        .setTrigger(InboundProtos.message(paused))
                        .build());
    }

    @Override
    public void resumeTrigger(ResumeTriggerRequest request, StreamObserver<ResumeTriggerResponse> observer) {
        Trigger resumed = triggers.resume(
                key(RequestFields.workspace(request.getWorkspace()), request.getKind(), request.getPath()),
                Access.current());
        Unary.answer(
                observer,
                ResumeTriggerResponse.newBuilder()
                        .setTrigger(InboundProtos.message(resumed))
                        .build());
    }

    @Override
    public void listTriggerEvents(
            ListTriggerEventsRequest request, StreamObserver<ListTriggerEventsResponse> observer) {
        TriggerKey key = key(RequestFields.workspace(request.getWorkspace()), request.getKind(), request.getPath());
        var page = triggers.of(key.kind()).history(key, PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListTriggerEventsResponse.newBuilder()
                        .addAllEvents(page.map(InboundProtos::event).items())
                        .setNextPageToken(page.nextToken())
                        .build());
    }

    @Override
    public void testWebhook(TestWebhookRequest request, StreamObserver<TestWebhookResponse> observer) {
        TriggerKey key = key(RequestFields.workspace(request.getWorkspace()), Kind.KIND_WEBHOOK, request.getPath());
        Webhooks.Trial trial = webhooks.test(key, WebhookProtos.call(request.getPath(), request.getCall()));
        Unary.answer(
                observer,
                TestWebhookResponse.newBuilder()
                        .setInput(ByteString.copyFromUtf8(trial.input().text()))
                        .setMessage(trial.message().orElse(""))
                        .build());
    }

    /**
     * The workspace is looked up here, because a refusal of unknown names would show which names are known. An address that no
     * webhook can have is as good as any other that none has: memory and database see none of it.
     */
    @Override
    public void receiveWebhook(ReceiveWebhookRequest request, StreamObserver<ReceiveWebhookResponse> observer) {
        boolean isAddress = Workspace.isName(request.getHookWorkspace()) && TriggerKey.isPath(request.getHookPath());
        Workspace workspace =
                isAddress ? RequestFields.workspace(workspaces.keyOf(request.getHookWorkspace())) : Workspace.DEFAULT;
        String path = isAddress ? request.getHookPath() : "";
        HookAnswer answer =
                webhooks.receive(workspace, WebhookProtos.call(path, request.getCall()), ClientAddress.current());
        Unary.answer(observer, message(answer));
    }

    private static dev.millrace.proto.trigger.v1.Trigger message(Trigger trigger, Map<TriggerId, String> problems) {
        return InboundProtos.message(trigger).toBuilder()
                .setProblem(problems.getOrDefault(trigger.id(), ""))
                .build();
    }

    private static ReceiveWebhookResponse message(HookAnswer answer) {
        ReceiveWebhookResponse.Builder message = ReceiveWebhookResponse.newBuilder();
        switch (answer) {
            case HookAnswer.Accepted accepted -> {
                message.setStatus(accepted.status())
                        .setRunId(accepted.run().map(RunId::toString).orElse(""));
                accepted.body().ifPresent(body -> message.setBody(ByteString.copyFromUtf8(body.text())));
            }
            case HookAnswer.Refused refused ->
                message.setStatus(refused.status())
                        .setCode(refused.code())
                        .setDetail(refused.detail())
                        .setRunId(refused.run().map(RunId::toString).orElse(""))
                        .setRetryAfterSeconds((int) refused.retryAfter()
                                .map(Duration::toSeconds)
                                .orElse(0L)
                                .longValue());
        }
        return message.build();
    }

    private TriggerKey key(Workspace workspace, Kind kind, String path) {
        return triggers.key(workspace, InboundProtos.kind(kind), path);
    }
}
