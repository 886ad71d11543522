package dev.millrace.cli.certificate;

import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Validity;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace certs dev}: makes an authority with certificates for a server and for a client. */
@Command(
        name = "dev",
        description = "Make an authority of your own, and certificates of it for servers and clients, to try TLS."
                + " The system does not trust the authority: name its file where it is to count.")
public final class CertsDevCommand implements Callable<Integer> {
    private static final List<String> HOSTS_ALWAYS = List.of("localhost", "127.0.0.1", "::1");
    /** Long enough for trials, and less than the 825 days after which some clients refuse certificates. */
    private static final Duration VALIDITY = Duration.ofDays(365);

    private final Terminal terminal;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Where to write the files (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("millrace-certs");

    @Option(
            names = "--host",
            paramLabel = "NAME",
            arity = "1..*",
            description = "Names and addresses under which clients reach the servers, besides localhost.")
    private List<String> hosts = new ArrayList<>();

    @Option(names = "--force", description = "Replace files that exist.")
    private boolean isForced;

    public CertsDevCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Set<String> names = new LinkedHashSet<>(hosts);
        names.addAll(HOSTS_ALWAYS);
        Validity validity = Validity.ofNext(VALIDITY);
        try {
            CertificateFolder files = CertificateFolder.create(folder, isForced);
            Authority authority = Authority.create("Millrace trials", validity);
            files.write(CertificateFolder.AUTHORITY, authority.certificate());
            files.write(CertificateFolder.SERVER, authority.issueForServer(List.copyOf(names), validity));
            files.write(CertificateFolder.CLIENT, authority.issueForClient("millrace client", validity));
            explain(files, names);
        } catch (IllegalArgumentException badName) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--host: " + String.join(", ", hosts) + " (expected: names of hosts or IP addresses): "
                            + badName.getMessage(),
                    badName);
        } catch (IOException unwritable) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The certificates cannot be written to " + folder + ": " + unwritable.getMessage()
                            + ". Choose another folder with --out.",
                    unwritable);
        }
        return ExitCode.OK.number();
    }

    private void explain(CertificateFolder files, Set<String> names) {
        terminal.out()
                .println("Certificates for " + String.join(", ", names) + " are in " + files.folder()
                        + ". They are valid for a year, and for trials only: whoever reads ca.key can issue others.");
        terminal.out().println();
        terminal.out().println("Scheduler:");
        set("MILLRACE_GRPC_TLS_CERTIFICATE", files.certificate(CertificateFolder.SERVER));
        set("MILLRACE_GRPC_TLS_KEY", files.key(CertificateFolder.SERVER));
        terminal.out().println("Gateway:");
        set("MILLRACE_HTTP_TLS_CERTIFICATE", files.certificate(CertificateFolder.SERVER));
        set("MILLRACE_HTTP_TLS_KEY", files.key(CertificateFolder.SERVER));
        terminal.out().println("Gateway and workers:");
        set("MILLRACE_SCHEDULER_TLS_CA", files.certificate(CertificateFolder.AUTHORITY));
        terminal.out().println("Client commands:");
        set("MILLRACE_CA_FILE", files.certificate(CertificateFolder.AUTHORITY));
        terminal.out().println("To admit only clients with a certificate, also on the scheduler:");
        set("MILLRACE_GRPC_TLS_CLIENT_CA", files.certificate(CertificateFolder.AUTHORITY));
        terminal.out().println("and on gateway and workers:");
        set("MILLRACE_SCHEDULER_TLS_CERTIFICATE", files.certificate(CertificateFolder.CLIENT));
        set("MILLRACE_SCHEDULER_TLS_KEY", files.key(CertificateFolder.CLIENT));
    }

    private void set(String variable, Path value) {
        terminal.out().println("  export " + variable + "=" + value);
    }
}
