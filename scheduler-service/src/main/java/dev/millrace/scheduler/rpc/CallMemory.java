package dev.millrace.scheduler.rpc;

import dev.millrace.memory.MemoryPart;
import dev.millrace.memory.Reservation;
import dev.millrace.scheduler.error.MillraceException;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one call.
 *
 * <p>Each piece of a request is reserved when it arrives, before the rest of its message and long before the message is
 * parsed. A piece that exceeds the budget ends the call at once. Messages of workers are reserved even beyond the
 * budget, and released once they are handled; meanwhile their streams are not read.
 *
 * <p>The thread of the connection counts what arrives. The thread that sends responses counts them.
 */
final class CallMemory extends ServerStreamTracer {
    static final Context.Key<CallMemory> KEY = Context.key("call-memory");

    /** Estimate of what a call takes besides its messages: its stream, its thread and the service's objects. */
    static final int CALL_BYTES = 8 << 10;
    /** Messages of strangers up to this size, such as probes, are accepted while there is any room. */
    private static final int TINY_MESSAGE_BYTES = 1 << 10;
    /** Messages of workers up to this size are always accepted. */
    private static final int SMALL_MESSAGE_BYTES = 64 << 10;
    /**
     * Larger messages of workers are accepted up to this multiple of the limit: several streams may fill it at once
     * before they are paused.
     */
    private static final int SESSIONS_HARD_FACTOR = 2;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** Ends the call. */
    @FunctionalInterface
    interface Refusal {
        void refuse(Status status, Metadata trailers);
    }

    private final RpcMemory memory;
    private final boolean isSession;
    private final Reservation request;
    private final Reservation answer;
    private final AtomicReference<@Nullable Refusal> refusal = new AtomicReference<>();
    private Context.@Nullable CancellableContext context;
    /** Bytes of the message that is arriving. */
    private long messageBytes;
    /** When the large message that is arriving began; 0 if there is none. */
    private volatile long arrivingSinceNanos;
    /** Sizes of a stream's messages that the service has not answered, oldest first. */
    private final ConcurrentLinkedQueue<Long> unanswered = new ConcurrentLinkedQueue<>();

    private final CallsOfStrangers strangers;
    private volatile boolean isOfStranger;
    private final AtomicBoolean refused = new AtomicBoolean();
    private volatile long answeredNanos;

    private final Set<CallMemory> watched;

    /** @param watched set of the calls that hold something large, which is checked for calls that stall */
    CallMemory(RpcMemory memory, String method, Set<CallMemory> watched, CallsOfStrangers strangers) {
        this.memory = memory;
        this.watched = watched;
        this.strangers = strangers;
        this.isSession = memory.sessionMethods().contains(method);
        this.request = new Reservation(isSession ? memory.sessions() : memory.requests());
        this.answer = new Reservation(memory.answers());
    }

    /** Whether the call is the session stream of a worker. */
    boolean isSession() {
        return isSession;
    }

    /** Whether the call was ended for its memory. All later events of the call are ignored. */
    boolean isRefused() {
        return refused.get();
    }

    /** Notes that nobody knows the caller. */
    void ofStranger() {
        isOfStranger = true;
        strangers.add(this);
    }

    /** Notes that the request is complete and the answer a single one, so that the caller cannot keep the call open. */
    void endsSoon() {
        if (isOfStranger) {
            strangers.remove(this);
        }
    }

    /** Ends the call for another one of a stranger. */
    void endForAnother() {
        refuse(ErrorStatus.of(MillraceException.overloaded(
                "Callers without a token keep as many calls open as they may: this one was the oldest. Show a token, or"
                        + " repeat the call later.",
                RETRY_AFTER)));
    }

    /** Reserves what every call takes. Ends the call and returns false if there is no room. */
    boolean admit(Refusal ending) {
        refusal.set(ending);
        if (isSession || request.tryGrow(CALL_BYTES)) {
            return true;
        }
        refuse(memory.requests(), CALL_BYTES);
        return false;
    }

    /** Reserves what a parsed message takes beyond its bytes. Ends the call and returns false if there is no room. */
    boolean admitParsed(long bytes) {
        if (refused.get()) {
            return false;
        }
        messageBytes += bytes;
        boolean admitted = isSession ? admitOfSession(bytes) : request.tryGrow(bytes);
        if (!admitted) {
            refuse(isSession ? memory.sessions() : memory.requests(), bytes);
        }
        return admitted;
    }

    /** Notes that a message of a stream is about to be passed to the service. */
    void messageArrived() {
        if (!isSession) {
            unanswered.add(messageBytes);
            messageBytes = 0;
        }
    }

    /** Releases a worker's message that was passed on: whoever keeps it has reserved it. */
    void messageHandled() {
        if (isSession) {
            messageBytes = 0;
            request.shrinkTo(0);
        }
    }

    /**
     * Releases as many messages of a stream as the service requests, because it requests one for each that it is done
     * with.
     */
    void messagesAnswered(int count) {
        for (int i = 0; i < count; i++) {
            Long bytes = unanswered.poll();
            if (bytes == null) {
                return;
            }
            request.release(bytes);
        }
    }

    /** Reserves a large response until the caller takes it. Ends the call and returns false if there is no room. */
    boolean admitAnswer(long bytes) {
        answeredNanos = System.nanoTime();
        watched.add(this);
        if (answer.tryGrow(bytes)) {
            return true;
        }
        refuse(memory.answers(), bytes);
        return false;
    }

    /** Releases the responses, because the caller has taken them. */
    void answersTaken() {
        answer.shrinkTo(0);
    }

    /** Ends the call if its caller began a large message and did not finish it within this time. */
    void endIfUnfinished(Duration patience) {
        long since = arrivingSinceNanos;
        if (since != 0 && System.nanoTime() - since > patience.toNanos()) {
            refuse(Status.DEADLINE_EXCEEDED
                    .withDescription("The request was not complete after " + patience.toSeconds() + " s.")
                    .asRuntimeException());
        }
    }

    /** Cancels the call if its caller has left a large response unread for longer than this. */
    void endIfUnread(Duration patience) {
        Context.CancellableContext running = context;
        if (running != null && answer.heldBytes() > 0 && System.nanoTime() - answeredNanos > patience.toNanos()) {
            // TimeoutException is the only cause for which gRPC drops the messages that wait to be sent.
            running.cancel(
                    new TimeoutException("The caller did not read its answer for " + patience.toSeconds() + " s."));
        }
    }

    @Override
    public Context filterContext(Context parent) {
        context = parent.withValue(KEY, this).withCancellation();
        return context;
    }

    @Override
    public void inboundWireSize(long bytes) {
        boolean wasSmall = messageBytes <= SMALL_MESSAGE_BYTES;
        messageBytes += bytes;
        if (wasSmall && messageBytes > SMALL_MESSAGE_BYTES) {
            arrivingSinceNanos = System.nanoTime();
            watched.add(this);
        }
        if (!refused.get() && !(isSession ? admitOfSession(bytes) : hasRoomFor(bytes))) {
            refuse(isSession ? memory.sessions() : memory.requests(), messageBytes);
        }
    }

    /** Large messages of strangers leave half of the room to others. */
    private boolean hasRoomFor(long bytes) {
        MemoryPart part = memory.requests();
        boolean leavesHalf = !isOfStranger
                || messageBytes <= TINY_MESSAGE_BYTES
                || part.reservedBytes() + bytes <= part.limitBytes() / 2;
        return leavesHalf && request.tryGrow(bytes);
    }

    @Override
    public void inboundMessageRead(int number, long wireBytes, long bytes) {
        arrivingSinceNanos = 0;
    }

    @Override
    public void streamClosed(Status status) {
        watched.remove(this);
        endsSoon();
        request.close();
        answer.close();
    }

    private boolean admitOfSession(long bytes) {
        MemoryPart sessions = memory.sessions();
        boolean mayGrow = messageBytes <= SMALL_MESSAGE_BYTES
                || sessions.reservedBytes() + bytes <= SESSIONS_HARD_FACTOR * sessions.limitBytes();
        if (mayGrow) {
            request.grow(bytes);
        }
        return mayGrow;
    }

    private void refuse(MemoryPart part, long bytes) {
        refuse(ErrorStatus.of(MillraceException.overloaded(
                "The scheduler holds as many bytes of " + part.name() + " as it may, " + part.limitBytes()
                        + ": there is no room for " + bytes
                        + " more. Repeat the call later; if this happens often, give the scheduler a"
                        + " larger heap (-Xmx).",
                RETRY_AFTER)));
    }

    private void refuse(StatusRuntimeException status) {
        Refusal ending = refusal.get();
        if (ending == null || !refused.compareAndSet(false, true)) {
            return;
        }
        request.close();
        Metadata trailers = status.getTrailers();
        ending.refuse(status.getStatus(), trailers == null ? new Metadata() : trailers);
    }
}
