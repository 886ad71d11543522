package dev.millrace.harness;

import io.moquette.BrokerConstants;
import io.moquette.broker.Server;
import io.moquette.broker.config.IConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Properties;

/**
 * A real broker of MQTT in this process, which keeps sessions and messages in a folder. Who starts one needs the artifact
 * {@code moquette-broker}.
 */
public final class MqttBroker implements AutoCloseable {
    private final int port;
    private final Server server;

    private MqttBroker(Path folder, int port) {
        this.port = port;
        this.server = started(folder, port);
    }

    /**
     * Starts a broker.
     *
     * @param folder for the data of the broker
     */
    public static MqttBroker start(Path folder) {
        return new MqttBroker(folder, FreePort.next());
    }

    private static Server started(Path folder, int port) {
        Properties settings = new Properties();
        settings.setProperty(IConfig.HOST_PROPERTY_NAME, "127.0.0.1");
        settings.setProperty(IConfig.PORT_PROPERTY_NAME, Integer.toString(port));
        settings.setProperty(IConfig.WEB_SOCKET_PORT_PROPERTY_NAME, BrokerConstants.DISABLED_PORT_BIND);
        settings.setProperty(IConfig.DATA_PATH_PROPERTY_NAME, folder.toString());
        settings.setProperty(IConfig.PERSISTENCE_ENABLED_PROPERTY_NAME, "true");
        settings.setProperty(IConfig.PERSISTENT_QUEUE_TYPE_PROPERTY_NAME, "segmented");
        settings.setProperty(IConfig.ENABLE_TELEMETRY_NAME, "false");
        Server next = new Server();
        try {
            next.startServer(settings);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return next;
    }

    /** Address of the broker, as resources have it. */
    public String url() {
        return "mqtt://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        server.stopServer();
    }
}
