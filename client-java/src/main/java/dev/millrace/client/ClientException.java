package dev.millrace.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A call failed. The class says what kind of failure it is. */
public class ClientException extends MillraceException {
    private static final long serialVersionUID = 1L;

    private final transient CallFailure failure;

    ClientException(CallFailure failure, String remedy) {
        super(failure.text(remedy), failure.cause());
        this.failure = failure;
    }

    /** Name of the call, for example {@code SubmitRun}. */
    public String call() {
        return failure.call();
    }

    /** Status of gRPC, for example {@code NOT_FOUND}. */
    public String status() {
        return failure.code().name();
    }

    /** Stable word for programs, for example {@code RUN_NOT_FOUND}; empty if the scheduler gave none. */
    public String reason() {
        return failure.reason();
    }

    /** What the scheduler said, without place and remedy. */
    public String detail() {
        return failure.detail();
    }

    /** Broken rules of the request. */
    public List<Violation> violations() {
        return failure.violations();
    }

    /** Time after which the scheduler wants to be asked again; empty if it said nothing. */
    public Optional<Duration> retryAfter() {
        return failure.retryAfter();
    }

    /**
     * Whether the same call may succeed later. A lack of resources is temporary only if the scheduler names a delay. An
     * internal error without a reason comes from the connection, and not from the scheduler.
     */
    boolean mayPass() {
        return false;
    }
}
