package dev.millrace.scheduler.rpc;

import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;

/** Rejects connections beyond a maximum. Thread-safe. */
final class ConnectionLimit extends ServerTransportFilter {
    private static final Attributes.Key<Boolean> COUNTED = Attributes.Key.create("millrace-connection-counted");

    private final int connectionsMax;
    private final AtomicInteger connections = new AtomicInteger();

    ConnectionLimit(int connectionsMax) {
        this.connectionsMax = connectionsMax;
    }

    @Override
    public Attributes transportReady(Attributes attributes) {
        if (connections.incrementAndGet() > connectionsMax) {
            connections.decrementAndGet();
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription("This scheduler already has " + connectionsMax
                            + " connections, as many as its heap allows: connect to another one, or later.")
                    .asRuntimeException();
        }
        return attributes.toBuilder().set(COUNTED, true).build();
    }

    @Override
    public void transportTerminated(Attributes attributes) {
        if (attributes != null && attributes.get(COUNTED) != null) {
            connections.decrementAndGet();
        }
    }
}
