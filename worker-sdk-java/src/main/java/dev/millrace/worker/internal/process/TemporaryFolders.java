package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.runtime.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A temporary folder for each process, which ends with it. All are in one folder, which ends with the worker. Its path
 * is short, since programs open sockets in such folders. Thread-safe.
 */
final class TemporaryFolders implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(TemporaryFolders.class);

    private static final String CALLS = "-calls";

    private final Path root;

    private TemporaryFolders(Path root) {
        this.root = requireNonNull(root, "root");
    }

    static TemporaryFolders create() throws IOException {
        return new TemporaryFolders(PrivateFiles.folder(Files.createTempDirectory("millrace-tmp-")));
    }

    Path root() {
        return root;
    }

    Path create(String processId) throws IOException {
        return Files.createDirectories(root.resolve(processId));
    }

    /**
     * A second folder of a process, for what the worker exchanges with it. It is beside the first one, in which scripts list
     * files.
     */
    Path forCalls(String processId) {
        return root.resolve(processId + CALLS);
    }

    void delete(String processId) {
        delete(root.resolve(processId));
        delete(forCalls(processId));
    }

    private static void delete(Path folder) {
        try {
            if (Files.exists(folder)) {
                FileTree.delete(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            logger.atInfo()
                    .addKeyValue("folder", folder)
                    .setCause(e)
                    .log("The temporary folder of a process could not be deleted.");
        }
    }

    @Override
    public void close() {
        delete(root);
    }
}
