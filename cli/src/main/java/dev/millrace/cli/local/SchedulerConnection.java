package dev.millrace.cli.local;

import dev.millrace.tls.ClientTls;
import dev.millrace.worker.SchedulerAccess;
import dev.millrace.worker.Tls;
import dev.millrace.worker.WorkerToken;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.util.Optional;

/** Settings of a worker's connection to its scheduler: TLS, and the token of the worker. */
final class SchedulerConnection {
    static final String TOKEN = "millrace.worker.token";
    static final String TOKEN_FILE = "millrace.worker.token-file";
    static final String ALLOW_PLAINTEXT = "millrace.scheduler.allow-plaintext";

    /** Value of {@link #TOKEN_FILE} that means the standard input of this process. */
    private static final String STANDARD_INPUT = "-";

    private SchedulerConnection() {}

    /** Fails with {@link IllegalArgumentException} if settings contradict each other. */
    static SchedulerAccess read(SmallRyeConfig config) {
        return new SchedulerAccess(
                ClientTls.read(key -> text(config, key)).map(SchedulerConnection::tls),
                token(config),
                config.getOptionalValue(ALLOW_PLAINTEXT, Boolean.class).orElse(false));
    }

    static boolean takesTokenFromStandardInput(SmallRyeConfig config) {
        return text(config, TOKEN_FILE).filter(STANDARD_INPUT::equals).isPresent();
    }

    private static WorkerToken token(SmallRyeConfig config) {
        Optional<String> token = text(config, TOKEN);
        Optional<String> file = text(config, TOKEN_FILE);
        if (token.isPresent() && file.isPresent()) {
            throw new IllegalArgumentException(TOKEN + " and " + TOKEN_FILE + " are both set: remove one of them.");
        }
        return token.map(WorkerToken::of)
                .or(() -> file.map(name -> name.equals(STANDARD_INPUT)
                        ? WorkerToken.of(TokenInput.readLine(System.in))
                        : WorkerToken.inFile(Path.of(name))))
                .orElse(WorkerToken.NONE);
    }

    private static Tls tls(ClientTls settings) {
        return new Tls(
                settings.authorities(),
                settings.own().map(files -> files.certificate()),
                settings.own().map(files -> files.key()));
    }

    private static Optional<String> text(SmallRyeConfig config, String key) {
        return config.getOptionalValue(key, String.class).filter(value -> !value.isBlank());
    }
}
