package dev.millrace.scheduler.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.identity.v1.WhoAmIResponse;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GatewayInterceptorTest {
    private static final String REFUSED = "refused";
    private static final int PORT = 40_000;

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // peer, header, told address, address that counts
                "10.0.0.7, -, 203.0.113.9, 10.0.0.7",
                "10.0.0.7, -, -, 10.0.0.7",
                "127.0.0.1, -, 203.0.113.9, 203.0.113.9",
                "127.0.0.1, -, -, 127.0.0.1",
                "10.0.0.7, Bearer gateway, 203.0.113.9, 203.0.113.9",
                "10.0.0.7, bearer gateway, 203.0.113.9, 203.0.113.9",
                "10.0.0.7, Bearer gateway, -, 10.0.0.7",
                "10.0.0.7, Bearer user, 203.0.113.9, refused",
                "10.0.0.7, Bearer unknown, 203.0.113.9, refused",
                "10.0.0.7, Bearer odd, 203.0.113.9, refused",
                "10.0.0.7, gateway, 203.0.113.9, refused",
                "127.0.0.1, Bearer unknown, 203.0.113.9, refused",
            })
    void believesTheAddressOfACallerToGatewaysOnly(String peer, String header, String told, String expected)
            throws ExecutionException, InterruptedException, TimeoutException {
        for (boolean isRemembered : new boolean[] {true, false}) {
            assertThat(addressOf(peer, header, told, isRemembered))
                    .as("remembered: " + isRemembered)
                    .isEqualTo(expected);
        }
    }

    private static String addressOf(String peer, String header, String told, boolean isRemembered)
            throws ExecutionException, InterruptedException, TimeoutException {
        Metadata headers = new Metadata();
        put(headers, "millrace-gateway-authorization", header);
        put(headers, "millrace-client-address", told);
        CompletableFuture<String> address = new CompletableFuture<>();
        ServerInterceptor authentication = new ServerInterceptor() {
            @Override
            public <Q, A> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, A> call, Metadata seen, ServerCallHandler<Q, A> next) {
                address.complete(ClientAddress.of(call, seen));
                return new ServerCall.Listener<>() {};
            }
        };
        new GatewayInterceptor(new FewCredentials(isRemembered), authentication)
                .interceptCall(new FakeCall(peer, address), headers, (_, _) -> new ServerCall.Listener<>() {});
        return address.get(60, TimeUnit.SECONDS);
    }

    private static void put(Metadata headers, String name, String value) {
        if (value != null) {
            headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
        }
    }

    /** Knows one gateway and one user. */
    private record FewCredentials(boolean areRemembered) implements Credentials {
        private static final Map<String, Access> KNOWN =
                Map.of("gateway", access(CallerKind.GATEWAY), "user", access(CallerKind.USER));

        @Override
        public boolean isToken(String text) {
            return KNOWN.containsKey(text) || text.equals("unknown");
        }

        @Override
        public Optional<Access> findRemembered(String token) {
            return areRemembered ? find(token) : Optional.empty();
        }

        @Override
        public boolean isRemembered(String token) {
            return areRemembered;
        }

        @Override
        public boolean isKnown(String token) {
            return KNOWN.containsKey(token);
        }

        @Override
        public Optional<Access> find(String token) {
            return Optional.ofNullable(KNOWN.get(token));
        }

        private static Access access(CallerKind kind) {
            return new Access(
                    new Caller(kind, "someone", Optional.empty(), Optional.empty(), false),
                    Rights.NONE,
                    WorkerScope.ALL);
        }
    }

    /** Notes that it is refused. */
    private static final class FakeCall extends ServerCall<WhoAmIRequest, WhoAmIResponse> {
        private final String peer;
        private final CompletableFuture<String> address;

        FakeCall(String peer, CompletableFuture<String> address) {
            this.peer = peer;
            this.address = address;
        }

        @Override
        public Attributes getAttributes() {
            return Attributes.newBuilder()
                    .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, new InetSocketAddress(peer, PORT))
                    .build();
        }

        @Override
        public void close(Status status, Metadata trailers) {
            assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            address.complete(REFUSED);
        }

        @Override
        public MethodDescriptor<WhoAmIRequest, WhoAmIResponse> getMethodDescriptor() {
            return PrincipalServiceGrpc.getWhoAmIMethod();
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(WhoAmIResponse message) {}

        @Override
        public boolean isCancelled() {
            return false;
        }
    }
}
