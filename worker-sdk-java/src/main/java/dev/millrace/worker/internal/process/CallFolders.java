package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the folders into which processes that speak no protocol put their calls. One thread waits for all of them, and a
 * process that calls nothing costs a folder and its watch. Thread-safe.
 */
final class CallFolders implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(CallFolders.class);

    private final Map<WatchKey, CallFolder> folders = new ConcurrentHashMap<>();
    private @Nullable WatchService watch;
    private boolean closed;

    /** A folder that is watched until it is closed. */
    interface Watched extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Watches for the calls of a process.
     *
     * @return empty if the system watches no further folder; the process then learns that nobody takes its calls
     */
    Optional<Watched> watch(CallFolder calls) {
        try {
            WatchKey key = calls.folder().register(service(), StandardWatchEventKinds.ENTRY_CREATE);
            folders.put(key, calls);
            return Optional.of(() -> {
                folders.remove(key);
                key.cancel();
            });
        } catch (IOException | ClosedWatchServiceException e) {
            logger.atWarn()
                    .setCause(e)
                    .log(
                            "A job cannot call the worker, because the system watches no further folder; on Linux, a larger"
                                    + " fs.inotify.max_user_watches or max_user_instances helps.");
            try {
                Files.deleteIfExists(calls.folder());
            } catch (IOException left) {
                logger.debug("The folder is left empty.", left);
            }
            return Optional.empty();
        }
    }

    private synchronized WatchService service() throws IOException {
        if (closed) {
            throw new ClosedWatchServiceException();
        }
        if (watch == null) {
            WatchService made = FileSystems.getDefault().newWatchService();
            Threads.daemon("millrace-process-calls", () -> take(made)).start();
            watch = made;
        }
        return watch;
    }

    private void take(WatchService from) {
        try {
            while (true) {
                WatchKey key = from.take();
                CallFolder calls = folders.get(key);
                for (WatchEvent<?> event : key.pollEvents()) {
                    if (calls != null && event.context() instanceof Path file) {
                        calls.appeared(file.toString());
                    }
                }
                key.reset();
            }
        } catch (ClosedWatchServiceException closing) {
            logger.debug("No calls are taken any more.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (watch != null) {
            try {
                watch.close();
            } catch (IOException e) {
                logger.debug("A watch service could not be closed.", e);
            }
        }
    }
}
