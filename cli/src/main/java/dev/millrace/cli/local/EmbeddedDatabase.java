package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A Postgres of our own, unpacked from a jar. It keeps its data in a folder, or in a temporary one that it deletes at its end.
 */
final class EmbeddedDatabase implements AutoCloseable {
    private static final String USER = "postgres";
    private static final String MAX_CONNECTIONS = "100";

    private final EmbeddedPostgres postgres;
    private final Optional<DataFolderLock> lock;

    private EmbeddedDatabase(EmbeddedPostgres postgres, Optional<DataFolderLock> lock) {
        this.postgres = postgres;
        this.lock = lock;
    }

    /**
     * Starts with data that survive: committed means on disk, also when the machine dies.
     *
     * @param binaries where Postgres is unpacked, once
     */
    static EmbeddedDatabase persistent(Path data, Path binaries) {
        DataFolderLock lock = DataFolderLock.acquire(data);
        try {
            StalePostmaster.stop(data);
            DatabaseTemplate.find().ifPresent(template -> template.copyTo(data));
            EmbeddedPostgres.Builder builder = builder(binaries)
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    // The library starts Postgres with both off; the later setting wins.
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on");
            return new EmbeddedDatabase(start(builder), Optional.of(lock));
        } catch (RuntimeException failure) {
            lock.close();
            throw failure;
        }
    }

    /** Starts with an empty database that is deleted at the end. */
    static EmbeddedDatabase ephemeral(Path binaries) {
        return new EmbeddedDatabase(start(builder(binaries)), Optional.empty());
    }

    String url() {
        return "postgres://" + USER + "@localhost:" + postgres.getPort() + "/postgres";
    }

    @Override
    public void close() throws IOException {
        postgres.close();
        lock.ifPresent(DataFolderLock::close);
    }

    private static EmbeddedPostgres.Builder builder(Path binaries) {
        try {
            Files.createDirectories(binaries);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The folder " + binaries
                            + " cannot be created, so Postgres cannot be unpacked. Make its parent writable.",
                    e);
        }
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(binaries.toFile())
                .setServerConfig("max_connections", MAX_CONNECTIONS)
                .setRegisterShutdownHook(false);
    }

    private static EmbeddedPostgres start(EmbeddedPostgres.Builder builder) {
        try {
            return builder.start();
        } catch (IOException | IllegalStateException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The embedded Postgres did not start: " + e.getMessage()
                            + ". Use a Postgres of your own with --database postgres://USER:PASSWORD@HOST/DATABASE.",
                    e);
        }
    }
}
