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
 * The memory of one call. Each piece of a request is reserved as it arrives, before the rest of its message is waited for and long before the message is
 * parsed; what exceeds the budget ends the call there and then. Messages of workers are reserved in any case, and given back as soon as they are
 * handled: their stream is read no further while too much waits.
 *
 * <p>What arrives is counted on the thread of the connection; answers are counted on the thread that sends them.
 */
final class CallMemory extends ServerStreamTracer {
    static final Context.Key<CallMemory> KEY = Context.key("call-memory");

    /** About what a call takes beside its messages: its stream, its thread and what the service needs for it. */
    static final int CALL_BYTES = 8 << 10;
    /** A message of a worker this small is always let in. */
    private static final int SMALL_MESSAGE_BYTES = 64 << 10;
    /** Larger ones are let in up to this many times the limit: several streams may fill it at once before they are paused. */
    private static final int SESSIONS_HARD_FACTOR = 2;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** Ends the call of this memory. */
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
    /** Of the message that is arriving. */
    private long messageBytes;
    /** When the message that is arriving began; 0 while none is. */
    private volatile long arrivingSinceNanos;
    /** Sizes of the messages of a stream that its service has not answered yet, the eldest first. */
    private final ConcurrentLinkedQueue<Long> unanswered = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean refused = new AtomicBoolean();
    private volatile long answeredNanos;

    private final Set<CallMemory> watched;

    /** @param watched where calls stand that hold something large, so that somebody looks whether it goes on */
    CallMemory(RpcMemory memory, String method, Set<CallMemory> watched) {
        this.memory = memory;
        this.watched = watched;
        this.isSession = memory.sessionMethods().contains(method);
        this.request = new Reservation(isSession ? memory.sessions() : memory.requests());
        this.answer = new Reservation(memory.answers());
    }

    /** Whether this is the stream of a worker. */
    boolean isSession() {
        return isSession;
    }

    /** Whether the call was ended for its memory. Whatever else happens to it means nothing. */
    boolean isRefused() {
        return refused.get();
    }

    /** Reserves what every call takes; false where there is no room, and then the call has been ended. */
    boolean admit(Refusal ending) {
        refusal.set(ending);
        if (isSession || request.tryGrow(CALL_BYTES)) {
            return true;
        }
        refuse(memory.requests(), CALL_BYTES);
        return false;
    }

    /** Reserves what a message takes beyond its bytes once it is parsed; false where there is no room, and then the call has been ended. */
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

    /** A message of a stream is about to be handed to its service. */
    void messageArrived() {
        if (!isSession) {
            unanswered.add(messageBytes);
            messageBytes = 0;
        }
    }

    /** A worker's message has been handed on: whoever keeps it has reserved it. */
    void messageHandled() {
        if (isSession) {
            messageBytes = 0;
            request.shrinkTo(0);
        }
    }

    /** The service asks for more messages of a stream: for each, it is done with one that has arrived. */
    void messagesAnswered(int count) {
        for (int i = 0; i < count; i++) {
            Long bytes = unanswered.poll();
            if (bytes == null) {
                return;
            }
            request.release(bytes);
        }
    }

    /** Reserves a large answer until it is taken; false where there is no room, and then the call has been ended. */
    boolean admitAnswer(long bytes) {
        answeredNanos = System.nanoTime();
        watched.add(this);
        if (answer.tryGrow(bytes)) {
            return true;
        }
        refuse(memory.answers(), bytes);
        return false;
    }

    /** The caller has taken what it was sent. */
    void answersTaken() {
        answer.shrinkTo(0);
    }

    /** Ends the call where its caller has begun a large message and not finished it in this time. */
    void endIfUnfinished(Duration patience) {
        long since = arrivingSinceNanos;
        if (since != 0 && System.nanoTime() - since > patience.toNanos()) {
            refuse(Status.DEADLINE_EXCEEDED
                    .withDescription("The request was not complete after " + patience.toSeconds() + " s.")
                    .asRuntimeException());
        }
    }

    /** Breaks off the call where its caller has left a large answer lying for longer than this. */
    void endIfUnread(Duration patience) {
        Context.CancellableContext running = context;
        if (running != null && answer.heldBytes() > 0 && System.nanoTime() - answeredNanos > patience.toNanos()) {
            // Of all causes, only a timeout makes gRPC drop what waits to be sent.
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
        if (!refused.get() && !(isSession ? admitOfSession(bytes) : request.tryGrow(bytes))) {
            refuse(isSession ? memory.sessions() : memory.requests(), messageBytes);
        }
    }

    @Override
    public void inboundMessageRead(int number, long wireBytes, long bytes) {
        arrivingSinceNanos = 0;
    }

    @Override
    public void streamClosed(Status status) {
        watched.remove(this);
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
