package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.internal.packages.Installers;
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
import java.util.ArrayList;
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

    /** Name of the folder, beside the target, that programs take for that of their user. */
    private static final String HOME = "home";

    private final Path root;
    private final Installers installers;
    private final PreparedLimit limit;
    /** Versions of the languages, each asked for once, since that may start a program. */
    private final Map<ScriptLanguage, String> versions = new ConcurrentHashMap<>();

    private final Object[] locks = new Object[LOCKS];

    /**
     * @param installers how programs run, which may fetch modules as installers fetch packages
     * @param bytesMax size of all that is kept, above which what was not used for longest is removed
     */
    PreparedVersions(Path root, Installers installers, long bytesMax) {
        this.root = root.toAbsolutePath();
        this.limit = new PreparedLimit(this.root, bytesMax);
        this.installers = installers;
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
                        make(place, cache, language.get(), script.version(), progress);
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
                make(place, cache, language.get(), script.version(), unread -> {});
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

    private void make(Path place, Path cache, ScriptLanguage language, ScriptVersion script, Consumer<String> progress)
            throws IOException, JobException {
        Path parent = Files.createDirectories(requireNonNull(place.getParent()));
        Path fresh = Files.createTempDirectory(parent, "new-");
        Path target = Files.createDirectory(fresh.resolve("target"));
        try {
            Files.createDirectory(fresh.resolve(HOME));
            language.preparer().orElseThrow().prepare(new Making(language, script, target, cache, progress));
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
        private final ScriptLanguage language;
        private final ScriptVersion script;
        private final Path target;
        private final Path cache;
        private final Consumer<String> progress;

        Making(ScriptLanguage language, ScriptVersion script, Path target, Path cache, Consumer<String> progress) {
            this.language = language;
            this.script = script;
            this.target = target;
            this.cache = cache;
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
            Path folder = requireNonNull(target.getParent());
            all.put("HOME", folder.resolve(HOME).toString());
            List<Path> readable = new ArrayList<>(language.preparerFiles());
            readable.add(script.folder());
            readable.addAll(script.packages());
            Command.Result result =
                    installers.run(command, all, new Installers.Place(folder, readable, List.of(cache)));
            return new Ended(result.exitCode(), result.output(), result.errors());
        }
    }
}
