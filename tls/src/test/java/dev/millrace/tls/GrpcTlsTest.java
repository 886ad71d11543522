package dev.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.certificate.Authority;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real connections with real certificates. */
class GrpcTlsTest {
    private static final Authority AUTHORITY = TestFiles.authority("trials");
    private static final Authority OTHER = TestFiles.authority("somebody else");

    private final TestFiles files;
    private final List<AutoCloseable> open = new ArrayList<>();

    GrpcTlsTest(@TempDir Path folder) {
        this.files = new TestFiles(folder);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void renewsItsCertificateWhileAStreamLives() throws Exception {
        TlsFiles tls = TestFiles.unwatched(files.server(AUTHORITY), Optional.empty());
        int port = serve(tls);
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        StreamObserver<String> stream = ClientCalls.asyncBidiStreamingCall(
                channel(port, AUTHORITY, Optional.empty()).newCall(EchoServer.STREAM, CallOptions.DEFAULT),
                into(answers));
        stream.onNext("before");
        assertThat(answers.poll(60, TimeUnit.SECONDS)).isEqualTo("before");

        files.server(OTHER);
        TestFiles.settle(tls);

        stream.onNext("after");
        assertThat(answers.poll(60, TimeUnit.SECONDS)).isEqualTo("after");
        assertThat(echo(channel(port, OTHER, Optional.empty()))).isEqualTo("hello");
        assertThatThrownBy(() -> echo(channel(port, AUTHORITY, Optional.empty())))
                .satisfies(GrpcTlsTest::isUnavailable);
    }

    @Test
    void aClientRefusesAnUnknownAuthority() {
        int port = serve(TestFiles.unwatched(files.server(AUTHORITY), Optional.empty()));

        assertThatThrownBy(() -> echo(channel(port, OTHER, Optional.empty()))).satisfies(GrpcTlsTest::isUnavailable);
    }

    @Test
    void aClientRefusesAnotherHost() {
        KeyFiles elsewhere =
                files.write("server", AUTHORITY.issueForServer(List.of("scheduler.example"), TestFiles.MONTH));
        int port = serve(TestFiles.unwatched(elsewhere, Optional.empty()));

        assertThatThrownBy(() -> echo(channel(port, AUTHORITY, Optional.empty())))
                .satisfies(GrpcTlsTest::isUnavailable);
    }

    @Test
    void aServerAsksForACertificateOfItsAuthority() {
        int port = serve(TestFiles.unwatched(files.server(AUTHORITY), Optional.of(files.authorities(AUTHORITY))));

        assertThatThrownBy(() -> echo(channel(port, AUTHORITY, Optional.empty())))
                .satisfies(GrpcTlsTest::isUnavailable);
        assertThatThrownBy(() -> echo(channel(port, AUTHORITY, Optional.of(OTHER))))
                .satisfies(GrpcTlsTest::isUnavailable);
        assertThat(echo(channel(port, AUTHORITY, Optional.of(AUTHORITY)))).isEqualTo("hello");
    }

    @Test
    void aServerRefusesPlainText() {
        int port = serve(TestFiles.unwatched(files.server(AUTHORITY), Optional.empty()));
        ManagedChannel plain =
                NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
        open.add(plain::shutdownNow);

        assertThatThrownBy(() -> echo(plain)).satisfies(GrpcTlsTest::isUnavailable);
    }

    private int serve(TlsFiles tls) {
        open.add(tls);
        EchoServer server = EchoServer.start(tls);
        open.add(server);
        return server.port();
    }

    private ManagedChannel channel(int port, Authority trusted, Optional<Authority> own) {
        Path authorities = files.write("trusted.pem", trusted.certificate().certificatePem());
        ChannelSecurity security =
                ChannelSecurity.open(Optional.of(new ClientTls(Optional.of(authorities), own.map(files::client))));
        ManagedChannel channel = security.protect(NettyChannelBuilder.forAddress("localhost", port))
                .build();
        open.add(channel::shutdownNow);
        open.add(security);
        return channel;
    }

    private static String echo(ManagedChannel channel) {
        return ClientCalls.blockingUnaryCall(
                channel, EchoServer.ECHO, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), "hello");
    }

    private static void isUnavailable(Throwable failure) {
        assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    private static StreamObserver<String> into(BlockingQueue<String> answers) {
        return new StreamObserver<>() {
            @Override
            public void onNext(String answer) {
                answers.add(answer);
            }

            @Override
            public void onError(Throwable failure) {
                answers.add(failure.toString());
            }

            @Override
            public void onCompleted() {}
        };
    }
}
