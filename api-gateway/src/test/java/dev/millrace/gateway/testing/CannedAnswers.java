package dev.millrace.gateway.testing;

import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers the methods of some services with what tests lay down, else with empty messages. */
public final class CannedAnswers extends HandlerRegistry {

    private final Map<String, ServerMethodDefinition<?, ?>> methods = new ConcurrentHashMap<>();

    CannedAnswers(ServiceDescriptor... services) {
        Stream.of(services).flatMap(service -> service.getMethods().stream()).forEach(this::answerEmpty);
    }

    /** Lays down the answer of a method. */
    public <Q, A> void answer(MethodDescriptor<Q, A> method, A answer) {
        stream(method, List.of(answer));
    }

    /** Lays down the answers of a method that streams. */
    public <Q, A> void stream(MethodDescriptor<Q, A> method, List<A> answers) {
        put(method, ServerMethodDefinition.create(method, ServerCalls.asyncServerStreamingCall((_, observer) -> {
            answers.forEach(observer::onNext);
            observer.onCompleted();
        })));
    }

    /** Lays down that a method that streams stays open. Returns the observers of its calls, as they come. */
    public <Q, A> BlockingQueue<StreamObserver<A>> hold(MethodDescriptor<Q, A> method) {
        var calls = new LinkedBlockingQueue<StreamObserver<A>>();
        put(method, ServerMethodDefinition.create(method, ServerCalls.asyncServerStreamingCall((_, observer) -> {
            ((ServerCallStreamObserver<A>) observer).setOnCancelHandler(() -> {});
            calls.add(observer);
        })));
        return calls;
    }

    /** Lays down that a method that streams fails after one answer. */
    public <Q, A> void breakOff(MethodDescriptor<Q, A> method, A answer, StatusRuntimeException failure) {
        put(method, ServerMethodDefinition.create(method, ServerCalls.asyncServerStreamingCall((_, observer) -> {
            observer.onNext(answer);
            observer.onError(failure);
        })));
    }

    /** Lays down that a method is refused. */
    public <Q, A> void refuse(MethodDescriptor<Q, A> method, StatusRuntimeException refusal) {
        put(
                method,
                ServerMethodDefinition.create(
                        method, ServerCalls.asyncUnaryCall((_, observer) -> observer.onError(refusal))));
    }

    private <Q, A> void answerEmpty(MethodDescriptor<Q, A> method) {
        if (method.getResponseMarshaller() instanceof PrototypeMarshaller<A> marshaller
                && marshaller.getMessagePrototype() != null) {
            answer(method, marshaller.getMessagePrototype());
        }
    }

    private void put(MethodDescriptor<?, ?> method, ServerMethodDefinition<?, ?> definition) {
        methods.put(method.getFullMethodName(), definition);
    }

    @Override
    public @Nullable ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
        return methods.get(name);
    }
}
