package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.config.BlobStoreKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Blobs in a local folder, or one that schedulers share by a network file system. A file has the name of its blob only
 * once it is complete and flushed to the disk; before that, it ends in {@value #PARTIAL}.
 */
final class FolderStorage implements BlobStorage {
    private static final String PARTIAL = ".part";
    /** Number of hexadecimal digits at the end of an id, which are random, that name its folder. */
    private static final int FOLDER_DIGITS = 2;

    private final Path root;

    FolderStorage(Path root) {
        this.root = requireNonNull(root, "root");
    }

    @Override
    public BlobStoreKind kind() {
        return BlobStoreKind.FOLDER;
    }

    @Override
    public int sinkBytes() {
        return 0;
    }

    @Override
    public BlobSink create(BlobId id) throws IOException {
        Path parent = folder(id);
        Files.createDirectories(parent);
        Path file = file(id);
        Path partial = partial(file);
        FileChannel channel = FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new Sink(channel, partial, file, List.of(parent, root));
    }

    @Override
    public InputStream open(BlobId id, long offset) throws IOException {
        FileChannel channel = FileChannel.open(file(id), StandardOpenOption.READ);
        try {
            return Channels.newInputStream(channel.position(offset));
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    @Override
    public void delete(BlobId id) throws IOException {
        Files.deleteIfExists(partial(file(id)));
        Files.deleteIfExists(file(id));
    }

    private Path folder(BlobId id) {
        String name = id.toString();
        return root.resolve(name.substring(name.length() - FOLDER_DIGITS));
    }

    private Path file(BlobId id) {
        return folder(id).resolve(id.toString());
    }

    private static Path partial(Path file) {
        return file.resolveSibling(file.getFileName() + PARTIAL);
    }

    /** @param folders folders whose names must be durable, too */
    private record Sink(FileChannel channel, Path partial, Path file, List<Path> folders) implements BlobSink {
        @Override
        public void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public void finish() throws IOException {
            channel.force(true);
            channel.close();
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            for (Path folder : folders) {
                flush(folder);
            }
        }

        /** Makes the names in a folder durable. */
        private static void flush(Path folder) throws IOException {
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException notWritten) {
                // Without its name the file counts for nothing, and the sweep deletes it.
            }
        }
    }
}
