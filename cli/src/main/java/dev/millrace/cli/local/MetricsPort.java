package dev.millrace.cli.local;

import dev.millrace.metrics.Metrics;
import dev.millrace.metrics.MetricsServer;
import io.smallrye.config.SmallRyeConfig;
import java.util.Optional;

/** Address at which a service without HTTP serves its metrics. Without a port in the settings, it serves none. */
enum MetricsPort {
    SCHEDULER("millrace.scheduler.metrics-port", "millrace.scheduler.metrics-host"),
    WORKER("millrace.worker.metrics-port", "millrace.worker.metrics-host");

    private static final int PORT_MAX = 65_535;

    private final String portKey;
    private final String hostKey;

    MetricsPort(String portKey, String hostKey) {
        this.portKey = portKey;
        this.hostKey = hostKey;
    }

    /** The key of the port. */
    String portKey() {
        return portKey;
    }

    /** The key of the address. */
    String hostKey() {
        return hostKey;
    }

    /**
     * Serves the metrics if the settings name a port.
     *
     * @throws IllegalArgumentException if the port is none
     */
    Optional<MetricsServer> start(SmallRyeConfig config, Metrics metrics) {
        Optional<Integer> port = config.getOptionalValue(portKey, Integer.class);
        if (port.filter(value -> value < 0 || value > PORT_MAX).isPresent()) {
            throw new IllegalArgumentException(portKey + ": " + port.get() + " (expected: 0 to " + PORT_MAX + ")");
        }
        String host = config.getOptionalValue(hostKey, String.class).orElse(MetricsServer.HOST_DEFAULT);
        return port.map(value -> MetricsServer.start(host, value, metrics));
    }
}
