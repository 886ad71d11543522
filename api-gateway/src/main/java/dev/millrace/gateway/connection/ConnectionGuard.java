package dev.millrace.gateway.connection;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.memory.MemoryPart;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Guard that bounds the open requests of each connection, and of all connections together: every request beside another one
 * on its connection reserves what it costs besides its bodies, until its answer has been taken. A single one belongs to what the
 * connection costs, so whoever asks for little, such as a probe of an orchestrator, gets an answer beside those who ask for much.
 *
 * <p>Strangers leave a quarter of the room to recognized callers. Without room, the stranger with the most open requests loses its
 * connection, since even a refusal would have to wait for it. Thread-safe.
 */
public final class ConnectionGuard extends SimpleDecoratingHttpService {

    /** Heap that an open request takes besides its bodies: headers, context, log and answers of a few hundred bytes. */
    private static final long REQUEST_BYTES = 8 << 10;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final MemoryPart calls;
    /** Connections of strangers with open requests, without those that are being closed. */
    private final Set<Connection> strangers = ConcurrentHashMap.newKeySet();

    /**
     * Wraps all services.
     *
     * @param calls memory of open requests
     */
    public ConnectionGuard(HttpService delegate, MemoryPart calls) {
        super(delegate);
        this.calls = calls;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
        var connection = Connection.of(context);
        boolean isWithinLimit = connection.enter();
        if (isWithinLimit && !connection.isRecognized()) {
            strangers.add(connection);
        }
        boolean isFirst = connection.openRequests() == 1;
        boolean hasReserved = isWithinLimit && !isFirst && reserve(connection);
        boolean hasRoom = isWithinLimit && (isFirst || hasReserved);
        var _ = context.log().whenComplete().thenAccept(log -> {
            if (connection.leave() == 0) {
                strangers.remove(connection);
            }
            if (hasReserved) {
                calls.release(REQUEST_BYTES);
            }
            if (isUntaken(log)) {
                connection.close();
            }
        });
        if (!isWithinLimit || (!hasRoom && !connection.isRecognized())) {
            close(connection);
            throw tooManyRequests();
        }
        if (!hasRoom) {
            throw full();
        }
        return unwrap().serve(context, request);
    }

    private boolean reserve(Connection connection) {
        boolean isForRecognized = calls.reservedBytes() >= calls.reservationBytesMax();
        if ((connection.isRecognized() || !isForRecognized) && calls.tryReserve(REQUEST_BYTES)) {
            return true;
        }
        if (closeOneThatHoldsMore(connection)) {
            // What the closed connection held is released within moments.
            calls.reserve(REQUEST_BYTES);
            return true;
        }
        return false;
    }

    private boolean closeOneThatHoldsMore(Connection connection) {
        return strangers.stream()
                .filter(each -> !each.isRecognized())
                .max(Comparator.comparingInt(Connection::openRequests))
                .filter(greediest -> greediest.openRequests() > connection.openRequests())
                .filter(this::close)
                .isPresent();
    }

    /** Returns whether it was not being closed before. */
    private boolean close(Connection connection) {
        connection.close();
        return strangers.remove(connection);
    }

    /**
     * Whether the time of a request on HTTP/1.1 ended before its answer was taken. The bytes of the answer would wait in the
     * connection, though nobody counts them any longer.
     */
    private static boolean isUntaken(RequestLog log) {
        return !log.sessionProtocol().isMultiplex()
                && log.isAvailable(RequestLogProperty.RESPONSE_CAUSE)
                && log.responseCause() instanceof RequestTimeoutException
                && log.responseLength() > 0;
    }

    private static ProblemException tooManyRequests() {
        return new ProblemException(
                Problem.of(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "too_many_requests",
                        "The connection has too many requests that wait for their answers. Read answers before you send more requests."));
    }

    private ProblemException full() {
        return new ProblemException(new Problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "The open requests of the gateway fill their limit of " + calls.limitBytes()
                        + " bytes, so there is no room for this one. Repeat the request later; if this happens often, give the gateway a"
                        + " larger heap (-Xmx).",
                List.of(),
                RETRY_AFTER));
    }
}
