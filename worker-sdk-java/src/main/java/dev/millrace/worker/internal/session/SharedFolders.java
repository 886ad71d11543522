package dev.millrace.worker.internal.session;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.runtime.JobScope;
import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders that the jobs of a group share: {@code ROOT/SCOPE/WORKER/GROUP-LOST/shared}. LOST is the number of
 * sessions that the worker has lost, since a job of a lost session may still be running when the next attempt begins
 * here.
 *
 * <p>The code that runs a job creates its folder. Folders are deleted here when the scheduler says so, when the session
 * is lost, and when the worker ends. Each worker locks a file while it lives, so that the next worker on the same root
 * can delete the leftovers of a killed one.
 *
 * <p>Thread-safe. Only {@link #close} waits for the disk: a thread of its own does the rest, since leases come on the
 * event loop of the connection.
 */
public final class SharedFolders implements AutoCloseable {
    /** Largest number of groups whose folders a worker holds. */
    static final int FOLDERS_MAX = 10_000;

    /** Interval of asking the scheduler which folders are not needed any more, in case its message was lost. */
    static final Duration ASK_INTERVAL = Duration.ofMinutes(1);

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
    private static final String LOCK_ENDING = ".lock";
    private static final String SHARED = "shared";
    private static final Logger logger = LoggerFactory.getLogger(SharedFolders.class);

    private final Path root;
    private final String worker = UUID.randomUUID().toString();
    private final Map<String, Path> held = new HashMap<>();
    private int sessionsLost;
    private final ExecutorService disk = Executors.newSingleThreadExecutor(Threads.named("millrace-shared-folders"));
    private @Nullable FileChannel lock;
    /** Why the file could not be locked. */
    private @Nullable IOException lockFailure;

    /** @param root parent of all folders, which several workers may share */
    public SharedFolders(Path root) {
        this.root = requireNonNull(root, "root").toAbsolutePath();
        disk.execute(this::lock);
        disk.execute(this::deleteLeftovers);
    }

    /**
     * Returns the folder for the job of this lease, which may not exist yet; absent for a job outside of groups.
     *
     * @throws IOException if the worker holds too many folders, or could not lock its file, which it tries again then
     */
    synchronized Optional<Path> hold(Lease lease) throws IOException {
        String group = lease.getGroupId();
        if (group.isEmpty()) {
            return Optional.empty();
        }
        Path known = held.get(group);
        if (known == null) {
            if (held.size() >= FOLDERS_MAX) {
                throw new IOException("the worker holds " + FOLDERS_MAX + " of them already");
            }
            tellLockFailure();
            known = JobScope.of(lease).below(root).resolve(worker).resolve(FolderName.of(group + "-" + sessionsLost));
            held.put(group, known);
        }
        return Optional.of(known.resolve(SHARED));
    }

    /** Groups whose folders are held. */
    synchronized List<String> groups() {
        return List.copyOf(held.keySet());
    }

    /** Deletes the folders of these groups. */
    synchronized void end(Collection<String> groups) {
        for (String group : groups) {
            Path folder = held.remove(group);
            if (folder != null && !disk.isShutdown()) {
                disk.execute(() -> delete(folder));
            }
        }
    }

    /** Deletes all folders, because the session is lost. */
    synchronized void endAll() {
        end(groups());
        sessionsLost++;
    }

    private void tellLockFailure() throws IOException {
        IOException failure = lockFailure;
        if (failure != null) {
            if (!disk.isShutdown()) {
                disk.execute(this::lock);
            }
            throw failure;
        }
    }

    private void lock() {
        if (isLocked()) {
            return;
        }
        try {
            Files.createDirectories(root);
            FileChannel channel = FileChannel.open(lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel.lock();
            locked(channel);
        } catch (IOException e) {
            failed(e);
        }
    }

    private synchronized boolean isLocked() {
        return lock != null;
    }

    private synchronized void locked(FileChannel channel) {
        lock = channel;
        lockFailure = null;
    }

    private synchronized void failed(IOException failure) {
        lockFailure = failure;
    }

    private Path lockFile() {
        return root.resolve(worker + LOCK_ENDING);
    }

    private void deleteLeftovers() {
        if (!Files.isDirectory(root)) {
            return;
        }
        try (Stream<Path> files = Files.list(root)) {
            files.filter(file -> file.toString().endsWith(LOCK_ENDING)).forEach(this::deleteIfLeftOver);
        } catch (IOException e) {
            logger.warn("Shared folders that earlier workers may have left in {} could not be looked for.", root, e);
        }
    }

    /** A live worker holds its lock. */
    private void deleteIfLeftOver(Path lockFile) {
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock free = channel.tryLock()) {
            if (free != null) {
                String name = String.valueOf(lockFile.getFileName());
                deleteOf(name.substring(0, name.length() - LOCK_ENDING.length()));
                Files.deleteIfExists(lockFile);
            }
        } catch (OverlappingFileLockException aliveInThisProcess) {
            logger.trace("The worker of {} runs in this process.", lockFile);
        } catch (NoSuchFileException gone) {
            logger.trace("Another worker has deleted {}.", lockFile);
        } catch (IOException e) {
            logger.warn("The shared folders of {} could not be deleted.", lockFile, e);
        }
    }

    private void deleteOf(String formerWorker) throws IOException {
        try (Stream<Path> scopes = Files.list(root)) {
            scopes.filter(Files::isDirectory).forEach(scope -> delete(scope.resolve(formerWorker)));
        }
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            logger.atWarn()
                    .addKeyValue("folder", folder)
                    .addKeyValue("reason", e)
                    .log("A shared folder could not be deleted; the next worker that starts here deletes it.");
        }
    }

    /** Deletes all folders. */
    @Override
    public void close() {
        endAll();
        disk.shutdown();
        try {
            if (!disk.awaitTermination(CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                logger.warn(
                        "Some shared folders were not deleted in time; the next worker that starts here deletes them.");
                return;
            }
            release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            logger.warn("The folder of the shared folders could not be tidied up.", e);
        }
    }

    private synchronized void release() throws IOException {
        if (lock != null) {
            deleteOf(worker);
            lock.close();
            lock = null;
            Files.deleteIfExists(lockFile());
        }
    }
}
