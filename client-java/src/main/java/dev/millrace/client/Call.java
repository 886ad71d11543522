package dev.millrace.client;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.function.Function;

/**
 * A call that may be sent any number of times.
 *
 * @param method its method
 * @param request the request; a request id is part of it, if the call changes something
 * @param read makes the value for the caller of an answer
 * @param serverWait time that the scheduler may take on top of the usual one
 */
record Call<Q, A, T>(MethodDescriptor<Q, A> method, Q request, Function<A, T> read, Duration serverWait) {
    Call(MethodDescriptor<Q, A> method, Q request, Function<A, T> read) {
        this(method, request, read, Duration.ZERO);
    }

    /** Name for messages, for example {@code SubmitRun}. */
    String name() {
        return String.valueOf(method.getBareMethodName());
    }
}
