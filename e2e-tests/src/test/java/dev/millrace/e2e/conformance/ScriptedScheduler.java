package dev.millrace.e2e.conformance;

import com.google.protobuf.ByteString;
import dev.millrace.proto.worker.v1.GetDataRequest;
import dev.millrace.proto.worker.v1.GetDataResponse;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.LogAck;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.proto.worker.v1.SetDataResponse;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A scheduler on a real port, which sends what a scenario says and records what the worker sends. Thread-safe. */
final class ScriptedScheduler implements AutoCloseable {
    /** Key of the run data that is answered only once the gate is open. */
    private static final String GATE = "gate";

    private static final ByteString OPENED = ByteString.copyFromUtf8("\"opened\"");

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Map<String, ByteString> data = new ConcurrentHashMap<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Server server;
    private @Nullable Stream present;
    private boolean answersHeartbeats = true;
    private boolean acknowledgesLogs = true;
    private volatile ResolveSecretsResponse secrets = ResolveSecretsResponse.getDefaultInstance();

    ScriptedScheduler() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress("localhost", 0))
                    .addService(new Sessions())
                    .addService(new Calls())
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String target() {
        return "localhost:" + server.getPort();
    }

    /** What the worker has sent and nobody has taken yet, in its order. */
    BlockingQueue<Event> events() {
        return events;
    }

    /** Sends a message on the present stream; it is lost if the worker has left that stream. */
    synchronized void send(OpenSessionResponse.Builder message) {
        if (present == null) {
            throw new AssertionError("There is no stream to send on: the worker has not connected.");
        }
        present.responses.onNext(message.build());
    }

    /** Ends the present stream. Later messages on it do not count. */
    synchronized void breakStream(Status status) {
        if (present != null) {
            present.responses.onError(
                    status.withDescription("The scenario says so.").asRuntimeException());
            present = null;
        }
    }

    synchronized void answerHeartbeats(boolean answers) {
        answersHeartbeats = answers;
    }

    synchronized void acknowledgeLogs(boolean acknowledges) {
        acknowledgesLogs = acknowledges;
    }

    void resolveTo(ResolveSecretsResponse values) {
        secrets = values;
    }

    void openGate() {
        gate.countDown();
    }

    /** All events that are left. */
    List<Event> rest() {
        var rest = new ArrayList<Event>();
        events.drainTo(rest);
        return rest;
    }

    @Override
    public void close() {
        gate.countDown();
        server.shutdownNow();
    }

    private synchronized void receive(Stream stream, OpenSessionRequest message) {
        if (message.hasHello()) {
            present = stream;
        }
        if (!stream.equals(present)) {
            return;
        }
        Event.of(message).forEach(events::add);
        if (message.hasHeartbeat() && answersHeartbeats) {
            send(OpenSessionResponse.newBuilder().setHeartbeat(message.getHeartbeat()));
        } else if (message.hasLogs() && acknowledgesLogs) {
            send(OpenSessionResponse.newBuilder()
                    .setLogAck(LogAck.newBuilder().setBatch(message.getLogs().getBatch())));
        }
    }

    /** The worker has ended its half of a stream. */
    private synchronized void complete(Stream stream) {
        if (stream.equals(present)) {
            present = null;
            stream.responses.onCompleted();
        }
    }

    /** A stream that a worker has opened. */
    private record Stream(UUID id, StreamObserver<OpenSessionResponse> responses) {}

    private final class Sessions extends WorkerSessionServiceGrpc.WorkerSessionServiceImplBase {
        @Override
        public StreamObserver<OpenSessionRequest> openSession(StreamObserver<OpenSessionResponse> responses) {
            ((ServerCallStreamObserver<OpenSessionResponse>) responses).setOnCancelHandler(() -> {});
            var stream = new Stream(UUID.randomUUID(), responses);
            return new StreamObserver<>() {
                @Override
                public void onNext(OpenSessionRequest message) {
                    receive(stream, message);
                }

                @Override
                public void onError(Throwable left) {
                    // The worker connects again, or its process has ended.
                }

                @Override
                public void onCompleted() {
                    complete(stream);
                }
            };
        }
    }

    private final class Calls extends JobApiServiceGrpc.JobApiServiceImplBase {
        @Override
        public void setData(SetDataRequest request, StreamObserver<SetDataResponse> responses) {
            data.put(request.getKey(), request.getValue());
            events.add(Event.data(request));
            responses.onNext(SetDataResponse.getDefaultInstance());
            responses.onCompleted();
        }

        @Override
        public void getData(GetDataRequest request, StreamObserver<GetDataResponse> responses) {
            GetDataResponse.Builder response = GetDataResponse.newBuilder();
            if (request.getKey().equals(GATE)) {
                try {
                    gate.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                response.setFound(true).setValue(OPENED);
            } else if (data.containsKey(request.getKey())) {
                response.setFound(true).setValue(data.get(request.getKey()));
            }
            responses.onNext(response.build());
            responses.onCompleted();
        }

        @Override
        public void resolveSecrets(ResolveSecretsRequest request, StreamObserver<ResolveSecretsResponse> responses) {
            responses.onNext(secrets);
            responses.onCompleted();
        }
    }
}
