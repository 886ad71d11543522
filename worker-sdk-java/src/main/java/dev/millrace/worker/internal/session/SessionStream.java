package dev.millrace.worker.internal.session;

import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One gRPC stream of a session. Messages arrive on the connection's event loop and go to the {@link SessionClient},
 * which also sends all messages.
 */
final class SessionStream implements ClientResponseObserver<OpenSessionRequest, OpenSessionResponse> {
    private final SessionClient client;
    private final boolean resuming;
    private List<SlotGroup> demand;
    private volatile @Nullable ClientCallStreamObserver<OpenSessionRequest> requests;
    private final long openNanos = System.nanoTime();
    private volatile long lastArrivalNanos = openNanos;
    private volatile boolean welcomed;
    private volatile boolean reconnectAsked;
    private volatile @Nullable Status end;

    SessionStream(SessionClient client, boolean resuming, List<SlotGroup> demand) {
        this.client = client;
        this.resuming = resuming;
        this.demand = demand;
    }

    void open(Channel channel) {
        // The observer that the call returns is the one given to beforeStart.
        var unused = WorkerSessionServiceGrpc.newStub(channel).openSession(this);
    }

    /** A time before the Hello was sent. */
    long openNanos() {
        return openNanos;
    }

    /** Whether the Hello of this stream asked to resume a session. */
    boolean isResuming() {
        return resuming;
    }

    /** The room last reported on this stream. Only the sending thread may use it. */
    List<SlotGroup> demand() {
        return demand;
    }

    void demand(List<SlotGroup> told) {
        demand = told;
    }

    boolean isWelcomed() {
        return welcomed;
    }

    void welcome() {
        welcomed = true;
    }

    /** Whether the scheduler asked the worker to reconnect. */
    boolean mustReconnect() {
        return reconnectAsked;
    }

    void reconnect() {
        reconnectAsked = true;
    }

    /** How the stream ended; null while it is open. */
    @Nullable Status end() {
        return end;
    }

    /** Time since the last message of the scheduler. */
    long silentNanos(long nowNanos) {
        return nowNanos - lastArrivalNanos;
    }

    boolean isReady() {
        ClientCallStreamObserver<OpenSessionRequest> observer = requests;
        return observer != null && end == null && observer.isReady();
    }

    void send(OpenSessionRequest message) {
        ClientCallStreamObserver<OpenSessionRequest> observer = requests;
        if (observer != null && end == null) {
            observer.onNext(message);
        }
    }

    /** Completes the worker's half of the stream. */
    void halfClose() {
        ClientCallStreamObserver<OpenSessionRequest> observer = requests;
        if (observer != null && end == null) {
            observer.onCompleted();
        }
    }

    /** Ends the stream at once; its late messages are ignored. */
    void abort(String reason) {
        ClientCallStreamObserver<OpenSessionRequest> observer = requests;
        if (observer != null && end == null) {
            observer.cancel(reason, null);
        }
        if (end == null) {
            end = Status.CANCELLED.withDescription(reason);
        }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<OpenSessionRequest> observer) {
        requests = observer;
        observer.setOnReadyHandler(client::wake);
    }

    @Override
    public void onNext(OpenSessionResponse message) {
        lastArrivalNanos = System.nanoTime();
        client.receive(this, message);
    }

    @Override
    public void onError(Throwable error) {
        finish(Status.fromThrowable(error));
    }

    @Override
    public void onCompleted() {
        finish(Status.OK);
    }

    private void finish(Status status) {
        if (end == null) {
            end = status;
        }
        client.wake();
    }
}
