package dev.millrace.telemetry;

import io.opentelemetry.exporter.internal.FailedExportException.GrpcExportException;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once that a collector takes nothing, and once that it does again, in place of a line of the SDK for each batch that
 * is lost. Thread-safe.
 */
final class CollectorWatch {
    private static final Logger log = LoggerFactory.getLogger(CollectorWatch.class);

    private final String what;
    private final AtomicBoolean isAway = new AtomicBoolean();

    /** @param what what is sent, in the plural */
    CollectorWatch(String what) {
        this.what = what;
    }

    /** Notes how a sending ends, and returns it. */
    CompletableResultCode watch(CompletableResultCode sending) {
        return sending.whenComplete(() -> {
            if (sending.isSuccess()) {
                if (isAway.compareAndSet(true, false)) {
                    log.info("The collector takes {} again", what);
                }
            } else if (isAway.compareAndSet(false, true)) {
                log.atWarn()
                        .addKeyValue("reason", reason(sending.getFailureThrowable()))
                        .log("The collector does not take {}; they are dropped until it does", what);
            }
        });
    }

    private static String reason(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> "unknown";
            case GrpcExportException grpc
            when grpc.getResponse() != null ->
                grpc.getResponse().getStatusCode() + ": " + grpc.getResponse().getStatusDescription();
            case HttpExportException http
            when http.getResponse() != null ->
                "HTTP " + http.getResponse().getStatusCode() + " "
                        + http.getResponse().getStatusMessage();
            default -> rootOf(failure);
        };
    }

    /** The innermost cause: clients wrap what happened several times. */
    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String type = root.getClass().getSimpleName();
        return root.getMessage() == null ? type : type + ": " + root.getMessage();
    }
}
