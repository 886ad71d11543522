package dev.millrace.cli.local;

import dev.millrace.cli.output.Terminal;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Mixin;

/** Base of commands that start services and run until SIGTERM or Ctrl-C. */
abstract class ServiceCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ServiceOptions options = new ServiceOptions();

    ServiceCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Starts the services of this command. */
    abstract void start(ServiceStack services, ServiceOptions options);

    /** The name of the service to collectors of OpenTelemetry. */
    abstract String service();

    @Override
    public final Integer call() throws InterruptedException {
        try (ServiceStack services = new ServiceStack()) {
            services.closeOnSignal();
            ForeignLogs.redirect();
            services.startIfAny(() -> LogLevelFile.watch(System.getenv()));
            services.startIfAny(() -> LogExport.start(service()));
            start(services, options);
            new CountDownLatch(1).await();
        }
        throw new IllegalStateException("A service waits for a signal and nothing else.");
    }

    void announce(String line) {
        terminal.out().println(line);
    }
}
