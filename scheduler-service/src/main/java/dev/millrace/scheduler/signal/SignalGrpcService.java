package dev.millrace.scheduler.signal;

import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.AnswerWaitResponse;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.CreateWaitLinksResponse;
import dev.millrace.proto.signal.v1.GetWaitLinkRequest;
import dev.millrace.proto.signal.v1.GetWaitLinkResponse;
import dev.millrace.proto.signal.v1.ListPendingWaitsRequest;
import dev.millrace.proto.signal.v1.ListPendingWaitsResponse;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.ListWaitsResponse;
import dev.millrace.proto.signal.v1.RevokeWaitLinksRequest;
import dev.millrace.proto.signal.v1.RevokeWaitLinksResponse;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.SendSignalResponse;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.proto.signal.v1.UseWaitLinkRequest;
import dev.millrace.proto.signal.v1.UseWaitLinkResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;

/** gRPC service for waits and signals. */
public final class SignalGrpcService extends SignalServiceGrpc.SignalServiceImplBase {
    private final Waits waits;
    private final LinkAnswers links;

    public SignalGrpcService(Waits waits) {
        this.waits = waits;
        this.links = waits.links();
    }

    @Override
    public void listWaits(ListWaitsRequest request, StreamObserver<ListWaitsResponse> observer) {
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        var found = waits.list(RequestFields.run(request.getWorkspace(), request.getRunId()), page);
        Unary.answer(
                observer,
                ListWaitsResponse.newBuilder()
                        .addAllWaits(
                                found.items().stream().map(WaitProtos::wait).toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void listPendingWaits(ListPendingWaitsRequest request, StreamObserver<ListPendingWaitsResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        var found = waits.listPending(
                workspace,
                Access.current().visibleFolders(workspace),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListPendingWaitsResponse.newBuilder()
                        .addAllWaits(
                                found.items().stream().map(WaitProtos::pending).toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void sendSignal(SendSignalRequest request, StreamObserver<SendSignalResponse> observer) {
        String step = waits.signal(
                RequestFields.run(request.getWorkspace(), request.getRunId()),
                request.getName(),
                SignalRequestProtos.message(request));
        Unary.answer(observer, SendSignalResponse.newBuilder().setStep(step).build());
    }

    @Override
    public void answerWait(AnswerWaitRequest request, StreamObserver<AnswerWaitResponse> observer) {
        String step = waits.answer(
                RequestFields.run(request.getWorkspace(), request.getRunId()),
                request.getStep(),
                SignalRequestProtos.message(request));
        Unary.answer(observer, AnswerWaitResponse.newBuilder().setStep(step).build());
    }

    @Override
    public void createWaitLinks(CreateWaitLinksRequest request, StreamObserver<CreateWaitLinksResponse> observer) {
        Unary.answer(
                observer,
                CreateWaitLinksResponse.newBuilder()
                        .addAllWaitLinks(WaitLinkProtos.signed(waits, request, Access.current()))
                        .build());
    }

    @Override
    public void revokeWaitLinks(RevokeWaitLinksRequest request, StreamObserver<RevokeWaitLinksResponse> observer) {
        List<String> actors = SignalRequestProtos.actors(request);
        Instant time =
                links.revoke(RequestFields.run(request.getWorkspace(), request.getRunId()), request.getStep(), actors);
        Unary.answer(
                observer,
                RevokeWaitLinksResponse.newBuilder()
                        .setRevokeTime(TimeProtos.timestamp(time))
                        .build());
    }

    @Override
    public void getWaitLink(GetWaitLinkRequest request, StreamObserver<GetWaitLinkResponse> observer) {
        var link = links.look(RequestFields.runOfToken(request.getRunId()), request.getToken());
        Unary.answer(observer, WaitProtos.link(link));
    }

    @Override
    public void useWaitLink(UseWaitLinkRequest request, StreamObserver<UseWaitLinkResponse> observer) {
        var answered = links.use(
                RequestFields.runOfToken(request.getRunId()), request.getToken(), SignalRequestProtos.payload(request));
        Unary.answer(
                observer,
                UseWaitLinkResponse.newBuilder()
                        .setStep(answered.stepKey())
                        .setKept(answered.kept())
                        .build());
    }
}
