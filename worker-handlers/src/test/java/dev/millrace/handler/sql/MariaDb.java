package dev.millrace.handler.sql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A MariaDB server in a folder, from the programs of this machine. */
record MariaDb(Process process, int port) implements AutoCloseable {
    static final String PASSWORD = "correct-horse";

    /** Skips the tests on a machine without MariaDB. */
    static void assumeInstalled() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mariadbd"))),
                "MariaDB is not installed: no program mariadbd on the PATH.");
    }

    /** Starts a server, and returns once it takes connections. */
    static MariaDb start(Path folder) throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        Path setup = Files.writeString(folder.resolve("setup.sql"), """
                create database if not exists test;
                create user millrace@localhost identified by '%s';
                grant all on test.* to millrace@localhost;
                """.formatted(PASSWORD));
        String user = "--user=" + System.getProperty("user.name");
        new ProcessBuilder("mariadb-install-db", "--datadir=" + data, user, "--auth-root-authentication-method=normal")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("install.log").toFile())
                .start()
                .waitFor();
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path log = folder.resolve("server.log");
        Process process = new ProcessBuilder(
                        "mariadbd",
                        "--no-defaults",
                        "--datadir=" + data,
                        user,
                        "--port=" + port,
                        "--bind-address=127.0.0.1",
                        "--socket=" + folder.resolve("socket"),
                        "--init-file=" + setup)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        while (!Files.exists(log) || !Files.readString(log).contains("ready for connections")) {
            if (!process.isAlive()) {
                throw new IOException("MariaDB ended: " + Files.readString(log));
            }
            Thread.onSpinWait();
        }
        return new MariaDb(process, port);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
