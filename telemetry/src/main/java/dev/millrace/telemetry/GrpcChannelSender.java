package dev.millrace.telemetry;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Sends OTLP messages over a gRPC channel. Thread-safe. */
final class GrpcChannelSender implements GrpcSender {
    private static final int PLAIN_PORT = 80;
    private static final int TLS_PORT = 443;
    private static final byte[] NO_BYTES = {};

    private final GrpcSenderConfig config;
    private final ManagedChannel channel;
    private final MethodDescriptor<byte[], byte[]> method;

    GrpcChannelSender(GrpcSenderConfig config) {
        this.config = config;
        this.channel = channel(config);
        this.method = MethodDescriptor.newBuilder(Bytes.INSTANCE, Bytes.INSTANCE)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(config.getFullMethodName())
                .build();
    }

    @Override
    public void send(MessageWriter message, Consumer<GrpcResponse> onResponse, Consumer<Throwable> onError) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(message.getContentLength());
        try {
            message.writeMessage(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        ClientCall<byte[], byte[]> call =
                MetadataUtils.newAttachHeadersInterceptor(headers()).interceptCall(method, options(), channel);
        ClientCalls.asyncUnaryCall(call, bytes.toByteArray(), new Answer(onResponse));
    }

    private Metadata headers() {
        Metadata headers = new Metadata();
        Map<String, List<String>> given = config.getHeadersSupplier().get();
        if (given != null) {
            given.forEach((name, values) -> {
                Metadata.Key<String> key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
                values.forEach(value -> headers.put(key, value));
            });
        }
        return headers;
    }

    private CallOptions options() {
        CallOptions options =
                CallOptions.DEFAULT.withDeadlineAfter(config.getTimeout().toMillis(), TimeUnit.MILLISECONDS);
        Compressor compressor = config.getCompressor();
        return compressor == null ? options : options.withCompression(compressor.getEncoding());
    }

    @Override
    public CompletableResultCode shutdown() {
        channel.shutdownNow();
        return CompletableResultCode.ofSuccess();
    }

    private static ManagedChannel channel(GrpcSenderConfig config) {
        URI endpoint = config.getEndpoint();
        boolean isPlain = "http".equals(endpoint.getScheme());
        int port = endpoint.getPort() >= 0 ? endpoint.getPort() : isPlain ? PLAIN_PORT : TLS_PORT;
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(endpoint.getHost(), port);
        if (isPlain) {
            builder.usePlaintext();
        } else {
            builder.sslContext(tls(config.getSslContext()));
        }
        RetryPolicy retry = config.getRetryPolicy();
        if (retry == null) {
            builder.disableRetry();
        } else {
            builder.enableRetry().defaultServiceConfig(serviceConfig(config.getFullMethodName(), retry));
        }
        return builder.build();
    }

    private static SslContext tls(@Nullable SSLContext given) {
        if (given == null) {
            try {
                return GrpcSslContexts.forClient().build();
            } catch (SSLException unusable) {
                throw new IllegalStateException("TLS cannot be set up: " + unusable.getMessage(), unusable);
            }
        }
        return new JdkSslContext(
                given,
                true,
                null,
                IdentityCipherSuiteFilter.INSTANCE,
                new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2),
                ClientAuth.NONE,
                null,
                false);
    }

    private static Map<String, ?> serviceConfig(String method, RetryPolicy retry) {
        String service = method.substring(0, method.indexOf('/'));
        return Map.of(
                "methodConfig",
                List.of(Map.of(
                        "name",
                        List.of(Map.of("service", service)),
                        "retryPolicy",
                        Map.of(
                                "maxAttempts",
                                (double) retry.getMaxAttempts(),
                                "initialBackoff",
                                retry.getInitialBackoff().toMillis() / 1e3 + "s",
                                "maxBackoff",
                                retry.getMaxBackoff().toMillis() / 1e3 + "s",
                                "backoffMultiplier",
                                retry.getBackoffMultiplier(),
                                "retryableStatusCodes",
                                List.of("UNAVAILABLE", "RESOURCE_EXHAUSTED", "ABORTED")))));
    }

    /** Hands on the answer of the collector, or the status with which the call failed. */
    private static final class Answer implements StreamObserver<byte[]> {
        private final Consumer<GrpcResponse> receiver;
        private byte[] message = NO_BYTES;

        Answer(Consumer<GrpcResponse> receiver) {
            this.receiver = receiver;
        }

        @Override
        public void onNext(byte[] value) {
            message = value;
        }

        @Override
        public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            String description = status.getDescription();
            receiver.accept(new Response(
                    GrpcStatusCode.fromValue(status.getCode().value()),
                    description == null ? "" : description,
                    NO_BYTES));
        }

        @Override
        public void onCompleted() {
            receiver.accept(new Response(GrpcStatusCode.OK, "", message));
        }
    }

    private static final class Response implements GrpcResponse {
        private final GrpcStatusCode code;
        private final String description;
        private final byte[] message;

        Response(GrpcStatusCode code, String description, byte[] message) {
            this.code = code;
            this.description = description;
            this.message = message;
        }

        @Override
        public GrpcStatusCode getStatusCode() {
            return code;
        }

        @Override
        public String getStatusDescription() {
            return description;
        }

        @Override
        public byte[] getResponseMessage() {
            return message;
        }
    }

    /** Messages are bytes already. */
    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        INSTANCE;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }
}
