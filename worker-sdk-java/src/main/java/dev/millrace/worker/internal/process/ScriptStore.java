package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.runtime.FileTree;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scripts on this machine. Each version is fetched once and has its own folder, so that it cannot import from another
 * script. A version is used only as deployed: its hash is compared before each use. A folder appears by one rename,
 * complete or not at all; several workers may share the store.
 */
final class ScriptStore {
    private static final int FETCH_LOCKS = 64;

    private static final Logger logger = LoggerFactory.getLogger(ScriptStore.class);

    private final Path folder;
    private final ScriptSource source;
    private final ScriptRuntimes runtimes;
    private final Object[] fetchLocks = new Object[FETCH_LOCKS];

    ScriptStore(Path folder, ScriptSource source, ScriptRuntimes runtimes) {
        this.folder = requireNonNull(folder, "folder");
        this.source = requireNonNull(source, "source");
        this.runtimes = requireNonNull(runtimes, "runtimes");
        Arrays.setAll(fetchLocks, unused -> new Object());
    }

    /**
     * Returns the script, and fetches it if it is missing or not as deployed; blocks meanwhile. Reads the file on each
     * call, since programs of the worker's user may have changed it.
     *
     * @param lease finds a lease of a job that runs the script
     */
    Script load(ScriptKey key, Supplier<Optional<LeasedJob>> lease) {
        // Processes of one script that start at the same time fetch it once.
        synchronized (fetchLocks[Math.floorMod(key.hashCode(), FETCH_LOCKS)]) {
            try {
                Path place = key.codeBelow(folder);
                Optional<Script> found = find(place, key);
                return found.isPresent() ? found.get() : fetch(place, key, lease);
            } catch (IOException e) {
                throw new WorkerFault("The worker cannot keep scripts below " + folder + ": " + e + ".", null);
            }
        }
    }

    /** Where the versions of packages that a script needs are kept. */
    LockKeeper locks(Supplier<Optional<LeasedJob>> lease) {
        return source.locks(lease);
    }

    /** Keeps the schema of the inputs of a job's script. */
    void keepSchema(LeasedJob job, byte[] schema) {
        source.keepSchema(job, schema);
    }

    /** Stores a version that the scheduler sent ahead of its first job. */
    ScriptRuntime store(ScriptKey key, dev.millrace.proto.script.v1.Script script) {
        synchronized (fetchLocks[Math.floorMod(key.hashCode(), FETCH_LOCKS)]) {
            try {
                Path place = key.codeBelow(folder);
                Optional<Script> found = find(place, key);
                return (found.isPresent() ? found.get() : store(place, key, script)).runtime();
            } catch (IOException e) {
                throw new WorkerFault("The worker cannot keep scripts below " + folder + ": " + e + ".", null);
            }
        }
    }

    private Script fetch(Path place, ScriptKey key, Supplier<Optional<LeasedJob>> lease) throws IOException {
        return store(place, key, source.fetch(key, lease));
    }

    private Script store(Path place, ScriptKey key, dev.millrace.proto.script.v1.Script script) throws IOException {
        ScriptRuntime runtime = runtimes.of(script);
        StoredFiles files = StoredFiles.of(runtime, script);
        if (!files.areOf(key.hash(), runtime)) {
            throw LoadException.ofOtherHash(files.hash(runtime), key);
        }
        Optional<Script> meanwhile = find(place, key);
        if (meanwhile.isPresent()) {
            // Another worker that shares the folder was faster.
            return meanwhile.get();
        }
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            logger.atWarn()
                    .addKeyValue("folder", place)
                    .log("A script's file was changed on this machine; it is fetched anew.");
            FileTree.delete(place);
        }
        store(place, files);
        return find(place, key).orElseThrow(() -> new IOException("The folder " + place + " keeps changing"));
    }

    private static void store(Path place, StoredFiles files) throws IOException {
        Path parent = requireNonNull(place.getParent());
        Files.createDirectories(parent);
        Path fresh = Files.createTempDirectory(parent, "new-");
        try {
            files.writeTo(fresh);
            Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            FileTree.delete(fresh);
            // If another thread or worker was faster, its copy is the same. The rename reports that in many ways, so
            // look at the folder.
            if (!Files.isDirectory(place)) {
                throw e;
            }
        }
    }

    /** Returns the script as deployed; empty if it is missing or its folder holds anything else. */
    private Optional<Script> find(Path place, ScriptKey key) throws IOException {
        return StoredFiles.read(place)
                .flatMap(files ->
                        runtimes.of(files, key.hash()).map(runtime -> files.script(place.toAbsolutePath(), runtime)));
    }
}
