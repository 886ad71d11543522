package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.internal.runtime.FileTree;
import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.language.Preparation;
import dev.millrace.worker.language.Preparer;
import dev.millrace.worker.language.ScriptLanguage;
import dev.millrace.worker.language.ScriptVersion;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What languages made of versions, such as programs that they compiled: a folder for each workspace, version and version
 * of the language. A folder appears by one rename, complete or not at all; several workers may share the place. Blocking
 * and thread-safe.
 */
final class PreparedVersions {
    private static final String PATH = "PATH";
    private static final int LOCKS = 64;

    private final Path root;
    private final List<String> beginning;
    private final PreparedLimit limit;
    /** Versions of the languages, each asked for once, since that may start a program. */
    private final Map<ScriptLanguage, String> versions = new ConcurrentHashMap<>();

    private final Object[] locks = new Object[LOCKS];

    /**
     * @param beginning of the command lines of programs, which end with the worker
     * @param bytesMax size of all that is kept, above which what was not used for longest is removed
     */
    PreparedVersions(Path root, List<String> beginning, long bytesMax) {
        this.root = root.toAbsolutePath();
        this.limit = new PreparedLimit(this.root, bytesMax);
        this.beginning = List.copyOf(beginning);
        Arrays.setAll(locks, unused -> new Object());
    }

    /**
     * Returns the script with what its language made of it, if that makes anything.
     *
     * @param progress takes lines for the log of the job that waits
     */
    Script prepare(ScriptKey key, Script script, Consumer<String> progress) {
        Optional<ScriptLanguage> language = script.runtime().language();
        Optional<Preparer> preparer = language.flatMap(ScriptLanguage::preparer);
        if (preparer.isEmpty()) {
            return script;
        }
        String name = language.get().name();
        Path place = key.codeBelow(root).resolve(FolderName.of(name + "-" + version(language.get())));
        synchronized (locks[Math.floorMod(place.hashCode(), LOCKS)]) {
            try {
                if (Files.isDirectory(place)) {
                    limit.touch(place);
                } else {
                    limit.whileCacheStays(name, cache -> {
                        make(place, cache, preparer.get(), script.version(), progress);
                        return place;
                    });
                    Threads.daemon("millrace-prepared-eviction", limit::evict).start();
                }
                return script.preparedIn(place);
            } catch (JobException e) {
                throw new LoadException(String.valueOf(e.getMessage()), e.isRetryable());
            } catch (IOException e) {
                throw new WorkerFault(
                        "The worker cannot prepare scripts in " + name + ": " + e + ".", script.runtime());
            }
        }
    }

    /**
     * Prepares a script of the worker's own, of which nothing is kept.
     *
     * @param place folder for what is made, which does not exist yet
     */
    Script prepareIn(Path place, Script script) throws IOException {
        Optional<ScriptLanguage> language = script.runtime().language();
        Optional<Preparer> preparer = language.flatMap(ScriptLanguage::preparer);
        if (preparer.isEmpty()) {
            return script;
        }
        try {
            limit.whileCacheStays(language.get().name(), cache -> {
                make(place, cache, preparer.get(), script.version(), unread -> {});
                return place;
            });
            return script.preparedIn(place);
        } catch (JobException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The versions of a language and of its preparer. */
    private String version(ScriptLanguage language) {
        return versions.computeIfAbsent(
                language,
                asked -> Stream.of(asked.version().orElse(""), asked.preparerVersion())
                        .filter(part -> !part.isEmpty())
                        .collect(joining("-")));
    }

    private void make(Path place, Path cache, Preparer preparer, ScriptVersion script, Consumer<String> progress)
            throws IOException, JobException {
        Path parent = Files.createDirectories(requireNonNull(place.getParent()));
        Path fresh = Files.createTempDirectory(parent, "new-");
        Path target = Files.createDirectory(fresh.resolve("target"));
        try {
            preparer.prepare(new Making(script, target, cache, Files.createDirectory(fresh.resolve("home")), progress));
            Files.move(target, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // Another worker was faster: the rename reports that in many ways.
            if (!Files.isDirectory(place)) {
                throw e;
            }
        } finally {
            FileTree.delete(fresh);
        }
    }

    /** One preparation. */
    private final class Making implements Preparation {
        private final ScriptVersion script;
        private final Path target;
        private final Path cache;
        private final Path home;
        private final Consumer<String> progress;

        Making(ScriptVersion script, Path target, Path cache, Path home, Consumer<String> progress) {
            this.script = script;
            this.target = target;
            this.cache = cache;
            this.home = home;
            this.progress = progress;
        }

        @Override
        public ScriptVersion script() {
            return script;
        }

        @Override
        public Path target() {
            return target;
        }

        @Override
        public Path cache() {
            return cache;
        }

        @Override
        public void log(String line) {
            progress.accept(line + "\n");
        }

        @Override
        public Ended run(List<String> command, Map<String, String> variables) throws IOException {
            Map<String, String> all = new HashMap<>(variables);
            all.put(PATH, System.getenv().getOrDefault(PATH, "/usr/local/bin:/usr/bin:/bin"));
            all.put("LANG", "C.UTF-8");
            all.put("HOME", home.toString());
            Command.Result result = Command.run(command, new Command.Environment(all, beginning), new byte[0]);
            return new Ended(result.exitCode(), result.output(), result.errors());
        }
    }
}
