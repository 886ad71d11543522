package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The scripts on this machine: each version is fetched once and lies in a folder of its own, so that nothing can be imported from a
 * neighbour. A folder appears by one rename, complete or not at all; several workers may share the place.
 */
final class ScriptStore {
    /** Beyond this many places of scripts it forgets them and looks on the disk again. */
    static final int KNOWN_SCRIPTS_MAX = 10_000;

    private static final int FETCH_LOCKS = 64;

    private final Path folder;
    private final ScriptSource source;
    private final Map<ScriptKey, Script> known = new ConcurrentHashMap<>();
    private final Object[] fetchLocks = new Object[FETCH_LOCKS];

    ScriptStore(Path folder, ScriptSource source) {
        this.folder = requireNonNull(folder, "folder");
        this.source = requireNonNull(source, "source");
        Arrays.setAll(fetchLocks, unused -> new Object());
    }

    /** Returns the script, fetched where it is not here yet; blocks meanwhile. */
    Script load(ScriptKey key) {
        Script script = known.get(key);
        if (script != null && Files.isRegularFile(script.file())) {
            return script;
        }
        // Processes of one script that start at once fetch it once.
        synchronized (fetchLocks[Math.floorMod(key.hashCode(), FETCH_LOCKS)]) {
            return find(key);
        }
    }

    private Script find(ScriptKey key) {
        try {
            Path place = key.folderBelow(folder);
            if (!Files.isDirectory(place)) {
                store(place, source.fetch(key));
            }
            Script found = find(place);
            if (known.size() >= KNOWN_SCRIPTS_MAX) {
                known.clear();
            }
            known.put(key, found);
            return found;
        } catch (IOException e) {
            throw new LoadException("The script could not be stored below " + folder + ": " + e + ".", true);
        }
    }

    private static void store(Path place, dev.millrace.proto.script.v1.Script script) throws IOException {
        Files.createDirectories(requireNonNull(place.getParent()));
        Path fresh = Files.createTempDirectory(place.getParent(), "new-");
        Path file = fresh.resolve(fileName(script.getPath(), ScriptRuntime.of(script.getLanguage())));
        Files.write(file, script.getContent().toByteArray());
        try {
            Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            Files.delete(file);
            Files.delete(fresh);
            // Where another thread or worker was faster, its copy is the same. The rename says so in many ways: look.
            if (!Files.isDirectory(place)) {
                throw e;
            }
        }
    }

    private static Script find(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            Path file = files.filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow(() -> new IOException("The folder " + place + " is empty"));
            return new Script(file.toAbsolutePath(), ScriptRuntime.ofFileName(String.valueOf(file.getFileName())));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The name that people know from the script's path, with an ending that its runtime understands. */
    private static String fileName(String path, ScriptRuntime runtime) {
        String name = path.substring(path.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._-]", "_");
        if (name.isEmpty() || name.startsWith(".")) {
            name = "script" + name;
        }
        return switch (runtime) {
            case PYTHON -> name.endsWith(".py") ? name : name + ".py";
            case DENO -> name.matches(".*\\.m?[jt]s") ? name : name + runtime.fileEnding();
        };
    }
}
