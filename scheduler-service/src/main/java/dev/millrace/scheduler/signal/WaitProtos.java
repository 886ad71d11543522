package dev.millrace.scheduler.signal;

import com.google.protobuf.ByteString;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import dev.millrace.proto.signal.v1.GetWaitLinkResponse;
import dev.millrace.proto.signal.v1.Wait;
import dev.millrace.proto.signal.v1.WaitLink;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.util.Optional;

/** Converts waits and answers from and to messages. */
final class WaitProtos {
    private WaitProtos() {}

    static Wait wait(WaitView view) {
        Wait.Builder message = Wait.newBuilder()
                .setStep(view.stepKey())
                .setKind(Wait.Kind.KIND_TIMER)
                .setReceived(view.received())
                .addAllApprovers(view.approvers())
                .setCreateTime(TimeProtos.timestamp(view.created()));
        view.ends().map(TimeProtos::timestamp).ifPresent(message::setEndTime);
        view.spec().ifPresent(spec -> {
            message.setKind(kind(spec.kind())).setName(spec.name()).setRequired(spec.required());
            if (!spec.details().text().equals("null")) {
                message.setDetails(ByteString.copyFromUtf8(spec.details().text()));
            }
        });
        return message.build();
    }

    static dev.millrace.proto.signal.v1.PendingWait pending(PendingWait pending) {
        return dev.millrace.proto.signal.v1.PendingWait.newBuilder()
                .setRunId(pending.run().toString())
                .setRunName(pending.runName())
                .setWait(wait(pending.waiting()))
                .build();
    }

    /** Returns the meaning of an answer; empty if it is unknown. */
    static Optional<SignalKind> kind(Answer answer) {
        return switch (answer) {
            case ANSWER_APPROVE -> Optional.of(SignalKind.RESUME);
            case ANSWER_DENY -> Optional.of(SignalKind.DENY);
            case ANSWER_COMPLETE -> Optional.of(SignalKind.COMPLETE);
            case ANSWER_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    static Answer answer(SignalKind kind) {
        return switch (kind) {
            case FAIL -> throw new IllegalArgumentException("people do not fail what they are asked");
            case RESUME -> Answer.ANSWER_APPROVE;
            case DENY -> Answer.ANSWER_DENY;
            case COMPLETE -> Answer.ANSWER_COMPLETE;
        };
    }

    static WaitLink link(WaitLinks.Pair pair) {
        return WaitLink.newBuilder()
                .setActor(pair.actor())
                .setAcceptToken(pair.accept())
                .setDenyToken(pair.deny())
                .setExpireTime(TimeProtos.timestamp(pair.expires()))
                .build();
    }

    static GetWaitLinkResponse link(LinkAnswers.Link link) {
        GetWaitLinkResponse.Builder response = GetWaitLinkResponse.newBuilder()
                .setAnswer(answer(link.answer()))
                .setStep(link.token().stepKey())
                .setActor(link.token().actor())
                .setExpireTime(TimeProtos.timestamp(link.token().expires()));
        link.waiting().map(WaitProtos::wait).ifPresent(response::setWait);
        return response.build();
    }

    private static Wait.Kind kind(EventKind kind) {
        return switch (kind) {
            case SIGNAL -> Wait.Kind.KIND_SIGNAL;
            case APPROVAL -> Wait.Kind.KIND_APPROVAL;
            case HUMAN -> Wait.Kind.KIND_HUMAN;
        };
    }
}
