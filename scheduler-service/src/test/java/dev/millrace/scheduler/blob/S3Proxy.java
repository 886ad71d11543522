package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** A real server of S3's protocol in a process of its own, which checks signatures. Its files are in a folder. */
final class S3Proxy implements AutoCloseable {
    private static final String KEY = "blobs-key";
    private static final String SECRET = "blobs-secret";
    private static final Path PROGRAM = Path.of("target", "s3proxy", "s3proxy.jar");

    private final Process process;
    private final URI address;

    private S3Proxy(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** Starts the server, which has one bucket for each folder below this one. */
    static S3Proxy start(Path folder) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        URI address = URI.create("http://127.0.0.1:" + port);
        Path settings = Files.writeString(
                Files.createTempFile("s3proxy", ".properties"), """
                s3proxy.endpoint=%s
                s3proxy.authorization=aws-v4
                s3proxy.identity=%s
                s3proxy.credential=%s
                jclouds.provider=filesystem-nio2
                jclouds.filesystem.basedir=%s
                """.formatted(address, KEY, SECRET, folder));
        List<String> command = List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-jar",
                PROGRAM.toString(),
                "--properties",
                settings.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        S3Proxy server = new S3Proxy(process, address);
        server.awaitStart();
        return server;
    }

    private void awaitStart() throws IOException {
        BufferedReader log = process.inputReader();
        StringBuilder said = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            said.append(line).append('\n');
            if (line.contains("ServerConnector@")) {
                Thread.ofVirtual().start(() -> log.lines().forEach(unread -> {}));
                return;
            }
        }
        throw new IOException("S3Proxy has not started: " + said);
    }

    URI address() {
        return requireNonNull(address);
    }

    AwsCredentialsProvider credentials() {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, SECRET));
    }

    AwsCredentialsProvider wrongCredentials() {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, SECRET + "!"));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
