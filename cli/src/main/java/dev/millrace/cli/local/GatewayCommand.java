package dev.millrace.cli.local;

import dev.millrace.cli.output.Terminal;
import dev.millrace.gateway.Gateway;
import dev.millrace.gateway.GatewayConfig;
import dev.millrace.metrics.Metrics;
import dev.millrace.metrics.OtlpExport;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace gateway}: starts one gateway. */
@Command(
        name = "gateway",
        description = "Start a gateway: REST, live events and API documents, in front of a scheduler.")
public final class GatewayCommand extends ServiceCommand {
    @Option(
            names = "--scheduler",
            paramLabel = "HOST:PORT",
            description = "The scheduler (MILLRACE_SCHEDULER_TARGET; default: localhost:8401).")
    private @Nullable String scheduler;

    @Option(
            names = "--http-host",
            paramLabel = "HOST",
            description = "Address to listen on (MILLRACE_HTTP_HOST; default: 127.0.0.1, this machine alone).")
    private @Nullable String httpHost;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port to listen on, 0 for a free one (MILLRACE_HTTP_PORT; default: 8400).")
    private @Nullable Integer httpPort;

    @Option(
            names = "--http-tls-certificate",
            paramLabel = "FILE",
            description = "Certificate for HTTPS, in PEM (MILLRACE_HTTP_TLS_CERTIFICATE).")
    private @Nullable Path tlsCertificate;

    @Option(
            names = "--http-tls-key",
            paramLabel = "FILE",
            description = "Key of that certificate (MILLRACE_HTTP_TLS_KEY).")
    private @Nullable Path tlsKey;

    @Mixin
    private SchedulerTlsOptions tls = new SchedulerTlsOptions();

    public GatewayCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String service() {
        return "millrace-gateway";
    }

    @Override
    void start(ServiceStack services, ServiceOptions options) {
        Flags flags = new Flags()
                .with("millrace.scheduler.target", scheduler)
                .with("millrace.http.host", httpHost)
                .with("millrace.http.port", httpPort)
                .with("millrace.http.tls.certificate", tlsCertificate)
                .with("millrace.http.tls.key", tlsKey);
        tls.addTo(flags);
        Metrics metrics = Metrics.ofProcess();
        Gateway gateway = services.start(() ->
                Gateway.start(GatewayConfig.from(Settings.load(flags, options.config(), System.getenv())), metrics));
        services.startIfAny(() -> OtlpExport.start(metrics, service(), System.getenv()));
        announce(new Listening("The gateway serves HTTP", "--http-host", "MILLRACE_HTTP_HOST")
                .line(gateway.host(), gateway.port()));
    }
}
