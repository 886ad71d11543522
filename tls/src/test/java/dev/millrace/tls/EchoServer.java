package dev.millrace.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * gRPC server with TLS that repeats what it gets.
 *
 * @param answered number of unary calls that it has answered
 */
record EchoServer(Server server, AtomicInteger answered) implements AutoCloseable {
    static final MethodDescriptor<String, String> ECHO = method("test/Echo", MethodDescriptor.MethodType.UNARY);
    static final MethodDescriptor<String, String> STREAM =
            method("test/Stream", MethodDescriptor.MethodType.BIDI_STREAMING);

    static EchoServer start(TlsFiles tls) {
        AtomicInteger answered = new AtomicInteger();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sslContext(GrpcTls.server(tls))
                .addService(ServerServiceDefinition.builder("test")
                        .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answers) -> {
                            answered.incrementAndGet();
                            answers.onNext(request);
                            answers.onCompleted();
                        }))
                        .addMethod(STREAM, ServerCalls.asyncBidiStreamingCall(answers -> answers))
                        .build())
                .build();
        try {
            return new EchoServer(server.start(), answered);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static MethodDescriptor<String, String> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.newBuilder(new Text(), new Text())
                .setFullMethodName(name)
                .setType(type)
                .build();
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream bytes) {
            try {
                return new String(bytes.readAllBytes(), UTF_8);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }
}
