package dev.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.certificate.Authority;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerTargetsTest {
    private static final Authority AUTHORITY = TestFiles.authority("trials");

    private final TestFiles files;

    SchedulerTargetsTest(@TempDir Path folder) {
        this.files = new TestFiles(folder);
    }

    @Test
    void goesToAnotherSchedulerOfTheList() throws InterruptedException {
        TlsFiles tls = TestFiles.unwatched(files.server(AUTHORITY), Optional.empty());
        try (EchoServer first = EchoServer.start(tls);
                EchoServer second = EchoServer.start(tls)) {
            ManagedChannel channel = channel("localhost:" + first.port() + ",localhost:" + second.port());
            assertThat(echo(channel)).isEqualTo("hello");

            // A call that is on its way while its connection ends fails, so the channel must have seen the end.
            CountDownLatch left = new CountDownLatch(1);
            channel.notifyWhenStateChanged(ConnectivityState.READY, left::countDown);
            (first.answered().get() > 0 ? first : second).close();
            left.await();
            assertThat(echo(channel)).isEqualTo("hello");
            channel.shutdownNow();
        }
    }

    @Test
    void leavesOutHostsThatNobodyKnows() {
        TlsFiles tls = TestFiles.unwatched(files.server(AUTHORITY), Optional.empty());
        try (EchoServer server = EchoServer.start(tls)) {
            ManagedChannel channel = channel("no-such-host.invalid:8401,localhost:" + server.port());

            assertThat(echo(channel)).isEqualTo("hello");
            channel.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:8401,b", "a:8401,", "a:8401,b:99999", "a:8401,::1:8401", "a:8401,b c:1"})
    void refusesWhatIsNoAddress(String list) {
        assertThatThrownBy(() -> SchedulerTargets.channel(list))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("is no address of a scheduler (expected: host:port");
    }

    private ManagedChannel channel(String target) {
        ChannelSecurity security = ChannelSecurity.open(
                Optional.of(new ClientTls(Optional.of(files.authorities(AUTHORITY)), Optional.empty())));
        return security.protect(SchedulerTargets.channel(target)).build();
    }

    private static String echo(ManagedChannel channel) {
        return ClientCalls.blockingUnaryCall(channel, EchoServer.ECHO, CallOptions.DEFAULT.withWaitForReady(), "hello");
    }
}
