package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The settings of the worker of `dev`, on machines with bubblewrap and without. */
class OwnerFilesTest {
    private static final Map<String, String> TOKENS = Map.of("MILLRACE_ACCESS_REQUIRED", "true");

    @Test
    void areHiddenByASandboxIfCallersNeedTokens() {
        assertThat(with(TOKENS, true)).isEqualTo(OwnerFiles.HIDDEN);
        assertThat(settings(TOKENS))
                .containsEntry(WorkerSettings.SANDBOX, "bwrap")
                .containsEntry(WorkerSettings.SANDBOX_NETWORK, "true");
    }

    @Test
    void areReadableWithoutBubblewrapAndAgainstTheSettings() {
        assertThat(with(TOKENS, false)).isEqualTo(OwnerFiles.READABLE);
        assertThat(with(Map.of("MILLRACE_ACCESS_REQUIRED", "true", "MILLRACE_WORKER_SANDBOX", "none"), true))
                .isEqualTo(OwnerFiles.READABLE);
    }

    @Test
    void areOpenToAllIfNobodyNeedsAToken() {
        assertThat(with(Map.of(), true)).isEqualTo(OwnerFiles.OPEN);
        assertThat(settings(Map.of())).isEmpty();
    }

    @Test
    void aSandboxKeepsTheNetworkThatTheSettingsChose() {
        assertThat(settings(Map.of("MILLRACE_ACCESS_REQUIRED", "true", "MILLRACE_WORKER_SANDBOX_NETWORK", "false")))
                .containsEntry(WorkerSettings.SANDBOX_NETWORK, "false");
    }

    private static OwnerFiles with(Map<String, String> environment, boolean isSandboxPossible) {
        return OwnerFiles.of(Settings.load(new Flags(), Optional.empty(), environment), () -> isSandboxPossible);
    }

    private static Map<String, String> settings(Map<String, String> environment) {
        var given = Settings.load(new Flags(), Optional.empty(), environment);
        return OwnerFiles.of(given, () -> true).with(new Flags(), given).settings();
    }
}
