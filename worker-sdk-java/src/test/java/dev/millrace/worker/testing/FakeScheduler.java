package dev.millrace.worker.testing;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.Language;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.GetScriptResponse;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptFile;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Scheduler on a real port. Each stream that a worker opens becomes a {@link FakeSession} for the test. */
public final class FakeScheduler implements AutoCloseable {
    public static final long WAIT_SECONDS = 60;

    private final BlockingQueue<FakeSession> sessions = new LinkedBlockingQueue<>();
    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final AtomicInteger scriptFetches = new AtomicInteger();
    private final FakeJobApi steps = new FakeJobApi();
    private final FakeBlobs blobs = new FakeBlobs();
    private final Server server;

    public FakeScheduler() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress("localhost", 0))
                    .addService(new Sessions())
                    .addService(new Scripts())
                    .addService(steps)
                    .addService(blobs)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String target() {
        return "localhost:" + server.getPort();
    }

    /** Waits for the next stream of a worker. */
    public FakeSession awaitSession() throws InterruptedException {
        FakeSession session = sessions.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        if (session == null) {
            throw new AssertionError("No worker has connected.");
        }
        return session;
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Stores a script in Python or TypeScript, as its ending says, and returns its hash. */
    public String addScript(String path, String content) {
        boolean python = path.endsWith(".py");
        Script.Builder script =
                Script.newBuilder().setLanguage(python ? Language.LANGUAGE_PYTHON : Language.LANGUAGE_DENO);
        return add(script, path, python ? "python" : "deno", content);
    }

    /** Stores a script in a language that has only a name, and returns its hash. */
    public String addScript(String path, String language, String content) {
        return add(Script.newBuilder().setLanguageName(language), path, language, content);
    }

    /** Stores a script with a file beside it, and returns its hash. */
    public String addScript(String path, String language, String content, String file, String text) {
        var digests = new TreeMap<String, String>(Map.of(path, content, file, text));
        try {
            MessageDigest all = MessageDigest.getInstance("SHA-256");
            all.update((language + " files\0" + path + '\0').getBytes(StandardCharsets.UTF_8));
            for (Map.Entry<String, String> one : digests.entrySet()) {
                all.update((one.getKey() + '\0').getBytes(StandardCharsets.UTF_8));
                all.update(MessageDigest.getInstance("SHA-256")
                        .digest(one.getValue().getBytes(StandardCharsets.UTF_8)));
            }
            String hash = HexFormat.of().formatHex(all.digest());
            scripts.put(
                    hash,
                    Script.newBuilder()
                            .setLanguageName(language)
                            .setHash(hash)
                            .setPath(path)
                            .setWorkspace("default")
                            .setContent(ByteString.copyFromUtf8(content))
                            .addFiles(ScriptFile.newBuilder().setPath(file).setContent(ByteString.copyFromUtf8(text)))
                            .build());
            return hash;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private String add(Script.Builder script, String path, String language, String content) {
        String hash = hash(language + '\0' + content);
        scripts.put(
                hash,
                script.setHash(hash)
                        .setPath(path)
                        .setWorkspace("default")
                        .setContent(ByteString.copyFromUtf8(content))
                        .build());
        return hash;
    }

    /** The script of this hash, as leases may carry it. */
    public Script script(String hash) {
        return requireNonNull(scripts.get(hash), hash);
    }

    public int scriptFetches() {
        return scriptFetches.get();
    }

    public FakeJobApi steps() {
        return steps;
    }

    public FakeBlobs blobs() {
        return blobs;
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private final class Sessions extends WorkerSessionServiceGrpc.WorkerSessionServiceImplBase {
        @Override
        public StreamObserver<OpenSessionRequest> openSession(StreamObserver<OpenSessionResponse> responses) {
            FakeSession session = new FakeSession(responses);
            sessions.add(session);
            return session;
        }
    }

    private final class Scripts extends ScriptServiceGrpc.ScriptServiceImplBase {
        @Override
        public void getScript(GetScriptRequest request, StreamObserver<GetScriptResponse> responses) {
            scriptFetches.incrementAndGet();
            Script script = scripts.get(request.getHash());
            if (script == null) {
                responses.onError(Status.NOT_FOUND.asRuntimeException());
            } else {
                responses.onNext(
                        GetScriptResponse.newBuilder().setScript(script).build());
                responses.onCompleted();
            }
        }
    }
}
