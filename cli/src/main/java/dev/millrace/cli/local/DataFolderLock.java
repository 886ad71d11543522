package dev.millrace.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Launcher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Lock that keeps two processes from using one data folder. The operating system releases it when its process ends,
 * however that happens.
 */
final class DataFolderLock implements AutoCloseable {
    private final Path data;
    private final FileChannel channel;

    private DataFolderLock(Path data, FileChannel channel) {
        this.data = data;
        this.channel = channel;
    }

    static DataFolderLock acquire(Path data) {
        Path file = data.resolveSibling(data.getFileName() + ".lock");
        try {
            Files.createDirectories(data.toAbsolutePath().getParent());
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new CommandFailure(
                        ExitCode.START_FAILED,
                        "Another '" + Launcher.NAME + " dev' (process "
                                + Files.readString(file).strip() + ") uses the data in " + data
                                + ". Stop it, or start this one with --ephemeral or another --data-dir.");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(UTF_8)));
            return new DataFolderLock(data, channel);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The data folder " + data + " cannot be used: " + e.getMessage()
                            + ". Choose another with --data-dir.",
                    e);
        }
    }

    /** The locked folder. */
    Path data() {
        return data;
    }

    /** Null if another process, or another part of this one, holds the lock. */
    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldHere) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock ends with the process at the latest.
        }
    }
}
