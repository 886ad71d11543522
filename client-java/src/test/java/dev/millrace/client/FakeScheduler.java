package dev.millrace.client;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A scheduler that answers as the test says, and records what it was asked. */
final class FakeScheduler implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Map<String, ServerMethodDefinition<?, ?>> methods = new ConcurrentHashMap<>();
    private final Map<String, List<Message>> requests = new ConcurrentHashMap<>();
    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private final Server server;

    private FakeScheduler(ServerCredentials credentials) {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), credentials)
                .fallbackHandlerRegistry(new HandlerRegistry() {
                    @Override
                    public @Nullable ServerMethodDefinition<?, ?> lookupMethod(
                            String name, @Nullable String authority) {
                        return methods.get(name);
                    }
                })
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static FakeScheduler start() {
        return start(InsecureServerCredentials.create());
    }

    static FakeScheduler start(ServerCredentials credentials) {
        return new FakeScheduler(credentials);
    }

    String target() {
        return "localhost:" + server.getPort();
    }

    /** Answers calls in this order, and all further ones as the last. An answer is a message, a list of them, or a status. */
    <Q extends Message, A extends Message> void on(MethodDescriptor<Q, A> method, Object... answers) {
        Queue<Object> left = new ArrayDeque<>(List.of(answers));
        ServerCallHandler<Q, A> handler = (call, headers) -> {
            String token = headers.get(AUTHORIZATION);
            tokens.add(token == null ? "" : token);
            call.request(1);
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(Q request) {
                    received(method).add(request);
                    // Uploads send further messages.
                    call.request(1);
                }

                @Override
                public void onHalfClose() {
                    Object answer;
                    synchronized (left) {
                        answer = left.size() > 1 ? left.remove() : left.element();
                    }
                    answer(call, answer);
                }
            };
        };
        methods.put(method.getFullMethodName(), ServerMethodDefinition.create(method, handler));
    }

    @SuppressWarnings("unchecked")
    private static <A extends Message> void answer(ServerCall<?, A> call, Object answer) {
        call.sendHeaders(new Metadata());
        List<?> parts = answer instanceof List<?> list ? list : List.of(answer);
        for (Object part : parts) {
            if (part instanceof StatusException refusal) {
                Metadata trailers = refusal.getTrailers();
                call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
                return;
            }
            if (part == Silence.SILENCE) {
                return;
            }
            call.sendMessage((A) part);
        }
        call.close(Status.OK, new Metadata());
    }

    /** An answer that never comes. */
    enum Silence {
        SILENCE
    }

    static StatusException refusal(Status.Code code, String message, Message... details) {
        com.google.rpc.Status.Builder status =
                com.google.rpc.Status.newBuilder().setCode(code.value()).setMessage(message);
        for (Message detail : details) {
            status.addDetails(Any.pack(detail));
        }
        return StatusProto.toStatusException(status.build());
    }

    static ErrorInfo reason(String word) {
        return ErrorInfo.newBuilder().setReason(word).build();
    }

    static RetryInfo retryAfter(Duration delay) {
        return RetryInfo.newBuilder().setRetryDelay(Times.message(delay)).build();
    }

    static BadRequest violation(String field, String description) {
        return BadRequest.newBuilder()
                .addFieldViolations(
                        BadRequest.FieldViolation.newBuilder().setField(field).setDescription(description))
                .build();
    }

    /** The requests of a method, in order. */
    @SuppressWarnings("unchecked")
    <Q extends Message> List<Q> requests(MethodDescriptor<Q, ?> method) {
        List<Message> received = received(method);
        synchronized (received) {
            return (List<Q>) List.copyOf(received);
        }
    }

    /** The values of the header {@code authorization}, in order; empty for calls without one. */
    List<String> tokens() {
        synchronized (tokens) {
            return List.copyOf(tokens);
        }
    }

    private List<Message> received(MethodDescriptor<?, ?> method) {
        return requests.computeIfAbsent(
                method.getFullMethodName(), name -> Collections.synchronizedList(new ArrayList<>()));
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
