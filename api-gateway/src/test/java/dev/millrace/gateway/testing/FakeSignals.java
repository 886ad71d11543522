package dev.millrace.gateway.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.rpc.Code;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import dev.millrace.proto.signal.v1.AnswerWaitResponse;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.CreateWaitLinksResponse;
import dev.millrace.proto.signal.v1.GetWaitLinkRequest;
import dev.millrace.proto.signal.v1.GetWaitLinkResponse;
import dev.millrace.proto.signal.v1.ListPendingWaitsRequest;
import dev.millrace.proto.signal.v1.ListPendingWaitsResponse;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.ListWaitsResponse;
import dev.millrace.proto.signal.v1.PendingWait;
import dev.millrace.proto.signal.v1.RevokeWaitLinksRequest;
import dev.millrace.proto.signal.v1.RevokeWaitLinksResponse;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.SendSignalResponse;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.proto.signal.v1.UseWaitLinkRequest;
import dev.millrace.proto.signal.v1.UseWaitLinkResponse;
import dev.millrace.proto.signal.v1.Wait;
import dev.millrace.proto.signal.v1.WaitLink;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Every run waits for one approval; requests are recorded unchanged. */
public final class FakeSignals extends SignalServiceGrpc.SignalServiceImplBase {

    /** The token of a valid link. */
    public static final String TOKEN = "content.signature";

    public final List<Object> requests = new CopyOnWriteArrayList<>();

    private static final Timestamp TIME =
            Timestamp.newBuilder().setSeconds(1_700_000_000).build();
    private static final Wait WAIT = Wait.newBuilder()
            .setStep("ship")
            .setKind(Wait.Kind.KIND_APPROVAL)
            .setName("release")
            .setRequired(2)
            .setReceived(1)
            .addApprovers("ann")
            .setDetails(ByteString.copyFromUtf8("{\"title\": \"Ship it?\"}"))
            .setCreateTime(TIME)
            .build();

    @Override
    public void listWaits(ListWaitsRequest request, StreamObserver<ListWaitsResponse> answer) {
        requests.add(request);
        answer(
                answer,
                ListWaitsResponse.newBuilder()
                        .addWaits(WAIT)
                        .setNextPageToken("next")
                        .build());
    }

    @Override
    public void listPendingWaits(ListPendingWaitsRequest request, StreamObserver<ListPendingWaitsResponse> answer) {
        requests.add(request);
        answer(
                answer,
                ListPendingWaitsResponse.newBuilder()
                        .addWaits(PendingWait.newBuilder()
                                .setRunId("01a21868-ab37-7000-b2f9-10a031534162")
                                .setRunName("shop/ship")
                                .setWait(WAIT))
                        .build());
    }

    @Override
    public void sendSignal(SendSignalRequest request, StreamObserver<SendSignalResponse> answer) {
        requests.add(request);
        answer(answer, SendSignalResponse.newBuilder().setStep("ship").build());
    }

    @Override
    public void answerWait(AnswerWaitRequest request, StreamObserver<AnswerWaitResponse> answer) {
        requests.add(request);
        if (request.getActor().equals("eve")) {
            answer.onError(Refusals.of(Code.PERMISSION_DENIED, "NOT_ASSIGNED", "\"eve\" may not answer."));
        } else {
            answer(answer, AnswerWaitResponse.newBuilder().setStep("ship").build());
        }
    }

    @Override
    public void revokeWaitLinks(RevokeWaitLinksRequest request, StreamObserver<RevokeWaitLinksResponse> answer) {
        requests.add(request);
        answer(answer, RevokeWaitLinksResponse.newBuilder().setRevokeTime(TIME).build());
    }

    @Override
    public void createWaitLinks(CreateWaitLinksRequest request, StreamObserver<CreateWaitLinksResponse> answer) {
        requests.add(request);
        var links = CreateWaitLinksResponse.newBuilder();
        request.getActorsList()
                .forEach(actor -> links.addWaitLinks(WaitLink.newBuilder()
                        .setActor(actor)
                        .setAcceptToken(TOKEN)
                        .setDenyToken("no.signature")
                        .setExpireTime(TIME)));
        answer(answer, links.build());
    }

    @Override
    public void getWaitLink(GetWaitLinkRequest request, StreamObserver<GetWaitLinkResponse> answer) {
        requests.add(request);
        if (request.getToken().equals(TOKEN)) {
            answer(
                    answer,
                    GetWaitLinkResponse.newBuilder()
                            .setAnswer(Answer.ANSWER_COMPLETE)
                            .setStep("ship")
                            .setActor("ann")
                            .setExpireTime(TIME)
                            .setWait(WAIT)
                            .build());
        } else {
            answer.onError(
                    Refusals.of(Code.PERMISSION_DENIED, "WAIT_LINK_INVALID", "This link is not valid for this run."));
        }
    }

    @Override
    public void useWaitLink(UseWaitLinkRequest request, StreamObserver<UseWaitLinkResponse> answer) {
        requests.add(request);
        answer(
                answer,
                UseWaitLinkResponse.newBuilder().setStep("ship").setKept(true).build());
    }

    private static <T> void answer(StreamObserver<T> observer, T response) {
        observer.onNext(response);
        observer.onCompleted();
    }
}
