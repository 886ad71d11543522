package dev.millrace.scheduler.identity;

import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.GetRunResponse;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.AuthenticationInterceptor;
import dev.millrace.scheduler.access.AuthorizationInterceptor;
import dev.millrace.scheduler.access.Caller;
import dev.millrace.scheduler.access.CallerKind;
import dev.millrace.scheduler.access.LocalCallers;
import dev.millrace.scheduler.access.OpenStreams;
import dev.millrace.scheduler.access.Rights;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.access.RpcChecks;
import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.identity.core.TokenText;
import dev.millrace.scheduler.queue.core.Workspace;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to find out who calls and whether the call is allowed, for a token that is in memory. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class AccessBenchmark {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Metadata headers = new Metadata();
    private final GetRunRequest request = GetRunRequest.newBuilder()
            .setRunId("0198f3a2-7b1c-7000-8000-000000000000")
            .build();
    private final Call call = new Call();
    private OpenStreams streams;
    private AuthenticationInterceptor authentication;
    private ServerCallHandler<GetRunRequest, GetRunResponse> authorized;

    @Setup
    public void start() {
        String token = TokenText.make(TokenKind.USER, new Random(7)).text();
        headers.put(AUTHORIZATION, "Bearer " + token);
        TokenCredentials credentials = new TokenCredentials(_ -> Optional.of(runner()), new KnownTokens(_ -> new byte[0]));
        credentials.find(token);
        RpcChecks checks = new RpcChecks(
                List.of(new RunServiceGrpc.RunServiceImplBase() {}), _ -> Optional.empty(), new OneWorkspace());
        streams = OpenStreams.start(credentials);
        authentication = new AuthenticationInterceptor(
                checks, credentials, LocalCallers.of("127.0.0.1", true), streams, (_, _, _) -> {});
        AuthorizationInterceptor authorization = new AuthorizationInterceptor(checks);
        ServerCallHandler<GetRunRequest, GetRunResponse> service = (_, _) -> new ServerCall.Listener<>() {};
        authorized = (served, metadata) -> authorization.interceptCall(served, metadata, service);
    }

    @TearDown
    public void stop() {
        streams.close();
    }

    @Benchmark
    public ServerCall.Listener<GetRunRequest> check() {
        ServerCall.Listener<GetRunRequest> listener = authentication.interceptCall(call, headers, authorized);
        listener.onMessage(request);
        listener.onHalfClose();
        return listener;
    }

    private static Access runner() {
        return new Access(
                new Caller(CallerKind.USER, "user:ann", Optional.of(new UUID(0, 1)), Optional.of(new UUID(0, 2)), false),
                Rights.of(
                        false,
                        List.of(new Rights.Binding(Workspace.DEFAULT, "", Role.RUNNER)),
                        Rights.Restriction.NONE),
                WorkerScope.ALL);
    }

    /** Workspaces as they are in memory for a caller who names the one that there is. */
    private static final class OneWorkspace implements WorkspaceGate {
        private final Map<String, String> keys = Map.of("default", "default");

        @Override
        public String keyOf(String name) {
            return keys.getOrDefault(name, name);
        }

        @Override
        public String nameOf(String key) {
            return key;
        }

        @Override
        public boolean translates() {
            return false;
        }

        @Override
        public void require(Workspace workspace, boolean isInArchived, Access access) {
            if (!keys.containsKey(workspace.name())) {
                throw notFound(workspace, access);
            }
        }

        @Override
        public MillraceException notFound(Workspace workspace, Access access) {
            throw new IllegalStateException("there is no workspace " + workspace);
        }
    }

    /** A call that goes nowhere. */
    private static final class Call extends ServerCall<GetRunRequest, GetRunResponse> {
        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata sent) {}

        @Override
        public void sendMessage(GetRunResponse message) {}

        @Override
        public void close(Status status, Metadata trailers) {
            throw new IllegalStateException("the call was refused: " + status);
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public Attributes getAttributes() {
            return Attributes.EMPTY;
        }

        @Override
        public MethodDescriptor<GetRunRequest, GetRunResponse> getMethodDescriptor() {
            return RunServiceGrpc.getGetRunMethod();
        }
    }
}
