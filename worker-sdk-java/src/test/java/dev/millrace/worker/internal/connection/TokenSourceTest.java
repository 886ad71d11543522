package dev.millrace.worker.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.worker.SchedulerAccess;
import dev.millrace.worker.Tls;
import dev.millrace.worker.WorkerToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenSourceTest {
    private static final Duration READING_TIME_MAX = Duration.ofSeconds(60);

    private final Path file;

    TokenSourceTest(@TempDir Path folder) {
        this.file = folder.resolve("token");
    }

    @Test
    void readsTheFileAgainOnceTheTokenIsRefused() throws IOException {
        Files.writeString(file, " mrw_first \nnot read\n");
        TokenSource tokens = TokenSource.of(WorkerToken.inFile(file));
        assertThat(tokens.token()).isEqualTo("mrw_first");

        Files.writeString(file, "mrw_second\n");
        assertThat(tokens.token()).isEqualTo("mrw_first");
        tokens.refused("mrw_first");

        long end = System.nanoTime() + READING_TIME_MAX.toNanos();
        while (!tokens.token().equals("mrw_second") && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(tokens.token()).isEqualTo("mrw_second");
    }

    @Test
    void startsOnlyWithAToken() throws IOException {
        assertThatThrownBy(() -> TokenSource.of(WorkerToken.inFile(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be read from " + file);
        Files.writeString(file, "\n");
        assertThatThrownBy(() -> TokenSource.of(WorkerToken.inFile(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file + " holds no token");
        assertThatThrownBy(() -> WorkerToken.of(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tellsNobodyTheToken() {
        assertThat(WorkerToken.of("mrw_secret").toString()).doesNotContain("secret");
    }

    @Test
    void aTokenLeavesTheMachineOverTlsOnlyUnlessThatIsAllowed() {
        WorkerToken token = WorkerToken.of("mrw_secret");
        String elsewhere = "scheduler.example:8401";

        assertThatThrownBy(() -> SchedulerLink.open(elsewhere, new SchedulerAccess(Optional.empty(), token, false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would carry the token of this worker in plain text")
                .hasMessageContaining("millrace.scheduler.allow-plaintext");
        SchedulerLink.open(elsewhere, new SchedulerAccess(Optional.empty(), token, true))
                .close();
        SchedulerLink.open(elsewhere, new SchedulerAccess(Optional.of(Tls.ofSystem()), token, false))
                .close();
        SchedulerLink.open("localhost:8401", new SchedulerAccess(Optional.empty(), token, false))
                .close();
        SchedulerLink.open(elsewhere, SchedulerAccess.LOCAL).close();
    }
}
