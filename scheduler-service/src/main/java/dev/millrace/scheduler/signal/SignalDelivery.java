package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.QueueAnswers;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.Reception;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import dev.millrace.scheduler.signal.core.RunWaits;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.util.UUID;

/**
 * Sends signals through the lane of their run, waits until they are durable, and throws rejections as errors.
 * Thread-safe.
 */
final class SignalDelivery {
    private final SignalSender sender;
    private final IdSource ids;

    SignalDelivery(SignalSender sender, IdSource ids) {
        this.sender = sender;
        this.ids = ids;
    }

    /**
     * A validated signal or answer.
     *
     * @param requestId idempotency key; empty if the sender gave none
     */
    record Message(SignalKind kind, Json payload, String actor, String requestId) {}

    /**
     * Sends a message. Returns only accepting receptions and {@link Reception.Begun}.
     *
     * @throws MillraceException if the message is rejected
     */
    Reception send(RunId run, Address address, Message message) {
        UUID id = ids.nextJob(run).value();
        String requestId = message.requestId().isEmpty() ? id.toString() : message.requestId();
        RunSignal signal = new RunSignal(id, address, message.kind(), message.payload(), message.actor(), requestId);
        return switch (QueueAnswers.await(sender.send(run, signal))) {
            case SignalResult.Received(Reception reception) -> accepted(run, reception);
            case SignalResult.UnknownRun _ -> throw unknown(run);
            case SignalResult.RunEnded _ -> throw ended(run);
            case SignalResult.NoFlow _ ->
                throw notWaiting("The run " + run + " is a single job, which waits for no signal.");
        };
    }

    static MillraceException unknown(RunId run) {
        return new MillraceException(ErrorCode.RUN_NOT_FOUND, "There is no run " + run + ".");
    }

    static MillraceException ended(RunId run) {
        return new MillraceException(
                ErrorCode.RUN_ENDED, "The run " + run + " has already ended and waits for nothing.");
    }

    static MillraceException notWaiting(String message) {
        return new MillraceException(ErrorCode.NOT_WAITING, message);
    }

    private static Reception accepted(RunId run, Reception reception) {
        return switch (reception) {
            case Reception.Kept _, Reception.Repeated _, Reception.Counted _, Reception.Ended _, Reception.Begun _ ->
                reception;
            case Reception.NobodyWaits nobody ->
                throw notWaiting("The step of run " + run + " is no longer waiting."
                        + (nobody.open().isEmpty()
                                ? ""
                                : " Steps that wait: " + String.join(", ", nobody.open()) + "."));
            case Reception.WrongKind wrong ->
                throw notWaiting("Step \"" + wrong.waiting().stepKey() + "\" waits for "
                        + switch (wrong.waiting().spec().kind()) {
                            case SIGNAL -> "a signal, which nobody can deny: send the signal.";
                            case APPROVAL -> "an approval: approve or deny it.";
                            case HUMAN -> "the result of a human task: complete or deny it.";
                        });
            case Reception.TooMany _ ->
                throw new MillraceException(
                        ErrorCode.TOO_MANY_SIGNALS,
                        "The run " + run + " has reached its limit of signals: " + RunWaits.KEPT_MAX
                                + " that no step has waited for yet, or payloads of " + RunWaits.PAYLOADS_LENGTH_MAX
                                + " characters together.");
        };
    }
}
