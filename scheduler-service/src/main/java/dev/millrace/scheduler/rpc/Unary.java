package dev.millrace.scheduler.rpc;

import io.grpc.stub.StreamObserver;

/** Responds to calls with one response. */
public final class Unary {
    private Unary() {}

    public static <T> void answer(StreamObserver<T> observer, T response) {
        observer.onNext(response);
        observer.onCompleted();
    }
}
