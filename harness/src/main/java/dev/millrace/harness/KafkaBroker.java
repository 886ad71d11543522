package dev.millrace.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A real Kafka cluster in this process with one node, which is its own controller. Who starts one needs the artifact
 * {@code kafka_2.13}.
 */
public final class KafkaBroker implements AutoCloseable {
    /** Largest message that the broker accepts. */
    public static final int MESSAGE_BYTES_MAX = 10_000;
    /** Partitions of a topic that the broker creates for its first message. */
    public static final int PARTITIONS = 3;

    private static final int NODE_ID = 1;
    private static final String CONTROLLER = "CONTROLLER";

    private final Path folder;
    private final int port;
    private final int controllerPort;
    private final Optional<Doors> doors;
    private KafkaRaftServer server;

    private KafkaBroker(Path folder, int port, int controllerPort, Optional<Doors> doors) {
        this.folder = folder;
        this.port = port;
        this.controllerPort = controllerPort;
        this.doors = doors;
        this.server = started();
    }

    /** Who may come in through the doors of a broker that has some, by PLAIN or SCRAM-SHA-256. */
    public record User(String name, String password) {}

    /**
     * What a broker asks of those who come in through its doors.
     *
     * @param certificate of the broker, as PEM
     * @param key of the certificate, as PEM of PKCS #8
     */
    public record Protection(String certificate, String key, User user) {}

    private record Doors(Protection protection, int saslPort, int tlsPort) {}

    /**
     * Starts a broker with a new cluster.
     *
     * @param folder empty folder for the broker's data
     */
    public static KafkaBroker start(Path folder) throws Exception {
        return start(folder, Optional.empty());
    }

    /** Starts a broker like {@link #start(Path)} that has doors with a password and with TLS, too. */
    public static KafkaBroker start(Path folder, Protection protection) throws Exception {
        return start(folder, Optional.of(new Doors(protection, FreePort.next(), FreePort.next())));
    }

    private static KafkaBroker start(Path folder, Optional<Doors> doors) throws Exception {
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(NODE_ID)
                .setControllerListenerName(CONTROLLER)
                .setMetadataLogDirectory(folder.toString())
                .addDirectory(folder.toString())
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8))
                .run();
        return new KafkaBroker(folder, FreePort.next(), FreePort.next(), doors);
    }

    private KafkaRaftServer started() {
        Properties settings = settings(folder, port, controllerPort);
        doors.ifPresent(some -> settings.putAll(settings(some, settings.getProperty("listeners"))));
        KafkaRaftServer next = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        next.startup();
        return next;
    }

    /** Starts the broker again after {@link #stop}, with its data and at the same port. */
    public void startAgain() {
        server = started();
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
        // A group of one node's consumers needs no copies, and no patience for members that may come.
        settings.putAll(Map.of(
                "offsets.topic.replication.factor", "1",
                "offsets.topic.num.partitions", "1",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "group.initial.rebalance.delay.ms", "0"));
        return settings;
    }

    private static Map<String, String> settings(Doors doors, String listeners) {
        User user = doors.protection().user();
        return Map.of(
                "listeners",
                listeners + ",SASL_PLAINTEXT://localhost:" + doors.saslPort() + ",SSL://localhost:" + doors.tlsPort(),
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,SSL:SSL," + CONTROLLER + ":PLAINTEXT",
                "inter.broker.listener.name",
                "PLAINTEXT",
                "sasl.enabled.mechanisms",
                "PLAIN,SCRAM-SHA-256",
                "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required user_" + user.name() + "=\""
                        + user.password() + "\";",
                "listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;",
                "ssl.keystore.type",
                "PEM",
                "ssl.keystore.certificate.chain",
                doors.protection().certificate(),
                "ssl.keystore.key",
                doors.protection().key());
    }

    /** Host and port of the door with a password. */
    public String saslServers() {
        return "localhost:" + doors.orElseThrow().saslPort();
    }

    /** Host and port of the door with TLS. */
    public String tlsServers() {
        return "localhost:" + doors.orElseThrow().tlsPort();
    }

    /** Host and port of the broker. */
    public String servers() {
        return "localhost:" + port;
    }

    /** Stops the broker; may be called again. */
    public void stop() {
        server.shutdown();
        server.awaitShutdown();
    }

    @Override
    public void close() {
        stop();
    }
}
