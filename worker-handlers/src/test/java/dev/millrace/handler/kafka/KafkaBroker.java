package dev.millrace.handler.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A real cluster in this process with one node, which is its own controller. */
final class KafkaBroker implements AutoCloseable {
    /** Largest message that the broker accepts. */
    static final int MESSAGE_BYTES_MAX = 10_000;
    /** Partitions of a topic that the broker creates for its first message. */
    static final int PARTITIONS = 3;

    private static final int PORT_MIN = 20_000;
    private static final int PORT_LIMIT = 32_000;
    private static final int PORT_TRIES_MAX = 100;
    private static final int NODE_ID = 1;
    private static final String CONTROLLER = "CONTROLLER";

    private final KafkaRaftServer server;
    private final int port;

    private KafkaBroker(KafkaRaftServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /** @param folder empty folder for the broker's data */
    static KafkaBroker start(Path folder) throws Exception {
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(NODE_ID)
                .setControllerListenerName(CONTROLLER)
                .setMetadataLogDirectory(folder.toString())
                .addDirectory(folder.toString())
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8))
                .run();
        int port = freePort();
        KafkaRaftServer server =
                new KafkaRaftServer(KafkaConfig.fromProps(settings(folder, port, freePort())), Time.SYSTEM);
        server.startup();
        return new KafkaBroker(server, port);
    }

    private static Properties settings(Path folder, int port, int controllerPort) {
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                String.valueOf(NODE_ID),
                "controller.quorum.voters",
                NODE_ID + "@localhost:" + controllerPort,
                "controller.listener.names",
                CONTROLLER,
                "listeners",
                "PLAINTEXT://localhost:" + port + "," + CONTROLLER + "://localhost:" + controllerPort,
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT",
                "log.dirs",
                folder.toString(),
                "num.partitions",
                String.valueOf(PARTITIONS),
                "message.max.bytes",
                String.valueOf(MESSAGE_BYTES_MAX),
                "default.replication.factor",
                "1"));
        return settings;
    }

    /** Returns a port below those that the system gives to connections, which might take it before the server does. */
    private static int freePort() throws IOException {
        for (int tries = 1; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_LIMIT);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                if (tries == PORT_TRIES_MAX) {
                    throw taken;
                }
            }
        }
    }

    String servers() {
        return "localhost:" + port;
    }

    /** Stops the broker; may be called again. */
    void stop() {
        server.shutdown();
        server.awaitShutdown();
    }

    @Override
    public void close() {
        stop();
    }
}
