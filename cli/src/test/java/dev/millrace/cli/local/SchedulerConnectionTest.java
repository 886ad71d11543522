package dev.millrace.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import dev.millrace.worker.SchedulerAccess;
import dev.millrace.worker.Tls;
import dev.millrace.worker.WorkerToken;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;

class SchedulerConnectionTest {
    @Test
    void isPlainAndWithoutATokenUnlessToldOtherwise() {
        assertThat(read(Map.of())).isEqualTo(SchedulerAccess.LOCAL);
    }

    @Test
    void readsEverySetting() {
        SchedulerAccess access = read(Map.of(
                "MILLRACE_SCHEDULER_TLS_CA", "/ca.pem",
                "MILLRACE_SCHEDULER_TLS_CERTIFICATE", "/own.pem",
                "MILLRACE_SCHEDULER_TLS_KEY", "/own.key",
                "MILLRACE_SCHEDULER_ALLOW_PLAINTEXT", "true",
                "MILLRACE_WORKER_TOKEN_FILE", "/token"));

        assertThat(access)
                .isEqualTo(new SchedulerAccess(
                        Optional.of(Tls.trusting(Path.of("/ca.pem"))
                                .withCertificate(Path.of("/own.pem"), Path.of("/own.key"))),
                        WorkerToken.inFile(Path.of("/token")),
                        true));
        assertThat(read(Map.of("MILLRACE_WORKER_TOKEN", "mrw_a")).token()).isEqualTo(WorkerToken.of("mrw_a"));
    }

    @Test
    void refusesTwoTokens() {
        assertThatThrownBy(() -> read(Map.of("MILLRACE_WORKER_TOKEN", "mrw_a", "MILLRACE_WORKER_TOKEN_FILE", "/token")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("are both set");
    }

    @Test
    void readsATokenFromAStreamAndNoFurther() {
        var in = new ByteArrayInputStream("mrw_a\nrest".getBytes(UTF_8));

        assertThat(TokenInput.readLine(in)).isEqualTo("mrw_a");
        assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("rest");
        assertThatThrownBy(() -> TokenInput.readLine(new ByteArrayInputStream(new byte[0])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holds no token");
    }

    @Test
    void findsItsTokenInSettingsOnStandardInput() {
        String yaml = "millrace:\n  worker:\n    token: mrw_a\n";
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withSources(Settings.readStandardInput(new ByteArrayInputStream(yaml.getBytes(UTF_8))))
                .build();

        assertThat(SchedulerConnection.read(config).token()).isEqualTo(WorkerToken.of("mrw_a"));
    }

    @Test
    void showsNothingOfWhatIsWrongOnStandardInput() {
        for (String wrong : List.of("token: [mrw_secret", "mrw_secret: {", "a: b: mrw_secret", "mrw_secret")) {
            assertThatThrownBy(() -> Settings.readStandardInput(new ByteArrayInputStream(wrong.getBytes(UTF_8))))
                    .as(wrong)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("The configuration in standard input")
                    .satisfies(
                            error -> assertThat(Throwables.getStackTrace(error)).doesNotContain("mrw_secret"));
        }
    }

    @Test
    void readsStandardInputOnce() {
        assertThatThrownBy(() -> WorkerCommand.settings(
                        new Flags(), Optional.of(Path.of("-")), Map.of("MILLRACE_WORKER_TOKEN_FILE", "-")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write the token into the configuration as millrace.worker.token");
    }

    private static SchedulerAccess read(Map<String, String> environment) {
        return SchedulerConnection.read(Settings.load(new Flags(), Optional.empty(), environment));
    }
}
