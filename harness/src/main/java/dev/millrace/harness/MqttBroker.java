package dev.millrace.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Mosquitto that keeps sessions and messages in a folder, if the machine has one. */
public final class MqttBroker implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path program;
    private final Path settings;
    private final int port;
    private Process process;

    private MqttBroker(Path program, Path settings, int port) {
        this.program = program;
        this.settings = settings;
        this.port = port;
        this.process = started();
    }

    /** The program, unless it is not installed. */
    public static Optional<Path> program() {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)),
                        Stream.of("/usr/sbin", "/opt/homebrew/sbin"))
                .map(folder -> Path.of(folder, "mosquitto"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts a broker.
     *
     * @param folder for the data of the broker
     */
    public static MqttBroker start(Path program, Path folder) throws IOException {
        int port = FreePort.next();
        Path settings = folder.resolve("mosquitto.conf");
        Files.writeString(settings, """
                listener %d 127.0.0.1
                allow_anonymous true
                persistence true
                persistence_location %s/
                max_queued_messages 100000
                log_dest file %s/mosquitto.log
                user root
                """.formatted(port, folder, folder));
        return new MqttBroker(program, settings, port);
    }

    private Process started() {
        try {
            Process next = new ProcessBuilder(program.toString(), "-c", settings.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Await.until("the broker listens", PATIENCE, this::isListening);
            return next;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private boolean isListening() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Stops the broker, which writes what it keeps, and starts it at the same port. */
    public void restart() {
        stop();
        process = started();
    }

    /** Address of the broker, as resources have it. */
    public String url() {
        return "mqtt://127.0.0.1:" + port;
    }

    private void stop() {
        process.destroy();
        try {
            process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException late) {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
