package dev.millrace.cli.local;

import dev.millrace.tls.ClientTls;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that connect to a scheduler over TLS. */
final class SchedulerTlsOptions {
    @Option(
            names = "--scheduler-tls-ca",
            paramLabel = "FILE",
            description =
                    "Authority of the scheduler's certificate, or system for those that Java trusts (MILLRACE_SCHEDULER_TLS_CA).")
    private @Nullable String authority;

    @Option(
            names = "--scheduler-tls-certificate",
            paramLabel = "FILE",
            description = "Certificate for a scheduler that asks for one (MILLRACE_SCHEDULER_TLS_CERTIFICATE).")
    private @Nullable Path certificate;

    @Option(
            names = "--scheduler-tls-key",
            paramLabel = "FILE",
            description = "Key of that certificate (MILLRACE_SCHEDULER_TLS_KEY).")
    private @Nullable Path key;

    Flags addTo(Flags flags) {
        return flags.with(ClientTls.CA, authority)
                .with(ClientTls.CERTIFICATE, certificate)
                .with(ClientTls.KEY, key);
    }
}
