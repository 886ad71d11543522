package dev.millrace.worker.internal.packages;

import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the packages of Python scripts available: chooses versions unless that was done before, installs what is
 * missing, and says where it is. A script that imports only what its interpreter has costs a look at its text. Blocking
 * and thread-safe.
 */
public final class PythonPackages {
    private static final Logger logger = LoggerFactory.getLogger(PythonPackages.class);

    private static final int LOCKS = 64;
    /** Largest number of script versions that are remembered to go without packages. */
    private static final int WITHOUT_MAX = 10_000;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Time after which a script is looked at again whose imports need no packages. */
    private static final Duration WITHOUT_NEED = Duration.ofDays(1);

    /** Time after which packages are tried again that imports seem to need and that could not be had. */
    private static final Duration WITHOUT_SUCCESS = Duration.ofMinutes(1);

    private final Path folder;
    private final PythonInterpreter python;
    private final boolean infers;
    private final Uv uv;
    private final PackageCache cache;
    /** Held by those who prepare the packages of one script version, so that it is done once. */
    private final Object[] preparing = new Object[LOCKS];
    /** Script versions that go without packages, and the nanosecond until which they do. */
    private final Map<String, Long> without = new ConcurrentHashMap<>();

    private final AtomicBoolean evicting = new AtomicBoolean();

    private PythonPackages(Path folder, PythonInterpreter python, boolean infers, Uv uv, PackageCache cache) {
        this.folder = folder;
        this.python = python;
        this.infers = infers;
        this.uv = uv;
        this.cache = cache;
        Arrays.setAll(preparing, unused -> new Object());
    }

    /**
     * Opens the packages of a machine.
     *
     * @param folder for packages and tools; workers of one machine may share it
     * @param python the interpreter
     * @param bytesMax size of all packages above which those that no process uses are removed
     * @param infers whether packages are inferred from the imports of a script that declares none
     * @param variables of the worker, by which people configure indexes, proxies and certificates
     * @param beginning of the command lines of programs, which lets them end with the worker
     * @param programs finds programs by name
     */
    public static PythonPackages in(
            Path folder,
            Path python,
            long bytesMax,
            boolean infers,
            Map<String, String> variables,
            List<String> beginning,
            Function<String, Optional<Path>> programs)
            throws IOException {
        Files.createDirectories(folder);
        Uv uv = new Uv(folder, variables, beginning, programs);
        PythonInterpreter interpreter = new PythonInterpreter(python, uv.environment());
        PackageCache cache = new PackageCache(folder, uv, interpreter, bytesMax);
        return new PythonPackages(folder, interpreter, infers, uv, cache);
    }

    /**
     * Asks the interpreter what it has, which takes some 50 ms and which the first job would have to wait for, and tidies
     * up.
     */
    public void warmUp() throws IOException {
        python.facts();
        cache.deleteAbandoned();
        evict();
    }

    /** Removes packages until the cache is below its limit. */
    private void evict() {
        if (!evicting.compareAndSet(false, true)) {
            return;
        }
        try {
            cache.evict();
        } catch (IOException | PackageException e) {
            logger.atWarn().setCause(e).log("The cache of packages may stay above its limit.");
        } finally {
            evicting.set(false);
        }
    }

    /**
     * Makes the packages of a script available.
     *
     * @param version workspace and hash of the script's version
     * @param sources its files
     * @param locks keeps chosen versions for this script
     * @param progress takes lines for the log of the job that waits
     * @throws PackageException if a package does not exist or cannot be installed
     * @throws IOException if the worker cannot keep packages
     */
    public PreparedPackages prepare(String version, PythonSources sources, LockKeeper locks, Consumer<String> progress)
            throws IOException, PackageException {
        Optional<Path> declaration = sources.declaration();
        if (!interpreterAnswers() || !(declaration.isPresent() || mayNeedPackages(sources)) || goesWithout(version)) {
            return PreparedPackages.NONE;
        }
        synchronized (preparing[Math.floorMod(version.hashCode(), LOCKS)]) {
            Optional<String> lock = knownLock(version, locks);
            if (lock.isEmpty()) {
                Set<String> inferred = declaration.isPresent() ? Set.of() : inferred(sources);
                lock = declaration.isPresent()
                        ? choose(declaration.get(), progress)
                        : infer(version, inferred, progress);
                if (lock.isPresent()) {
                    lock = Optional.of(locks.keep(python.facts().name(), lock.get(), List.copyOf(inferred)));
                    write(lockFile(version), lock.get());
                }
            }
            return lock.isEmpty() ? PreparedPackages.NONE : install(LockedPackage.parse(lock.get()), progress);
        }
    }

    /** Forgets the versions that this machine knows for a script, so that the scheduler is asked the next time. */
    public void forget(String version) throws IOException {
        if (interpreterAnswers()) {
            Files.deleteIfExists(lockFile(version));
        }
    }

    /** If not, the start of the process says what is wrong with the interpreter. */
    private boolean interpreterAnswers() {
        try {
            python.facts();
            return true;
        } catch (IOException broken) {
            return false;
        }
    }

    /** Whether it was found out lately that the script needs no packages, or that they cannot be had. */
    private boolean goesWithout(String version) {
        Long until = without.get(version);
        return until != null && until - System.nanoTime() > 0;
    }

    private void goOnWithout(String version, Duration time) {
        if (without.size() >= WITHOUT_MAX) {
            without.clear();
        }
        without.put(version, System.nanoTime() + time.toNanos());
    }

    private boolean mayNeedPackages(PythonSources sources) throws IOException {
        if (!infers) {
            return false;
        }
        for (String source : sources.texts()) {
            if (!missing(ImportScan.modules(source), sources).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The lock on this machine, or else the scheduler's. */
    private Optional<String> knownLock(String version, LockKeeper locks) throws IOException {
        Path file = lockFile(version);
        if (Files.exists(file)) {
            return Optional.of(Files.readString(file));
        }
        Optional<String> kept = locks.find(python.facts().name());
        if (kept.isPresent()) {
            write(file, kept.get());
        }
        return kept;
    }

    /** Chooses versions of what a script declares, or a {@code requirements.txt} names; empty if that is nothing. */
    private Optional<String> choose(Path requirements, Consumer<String> progress) throws IOException, PackageException {
        progress.accept("Choosing versions of packages …\n");
        return Optional.of(uv.compile(requirements, python)).filter(lock -> !lock.isBlank());
    }

    /**
     * Chooses versions of the packages that imports seem to need. A script whose imports cannot be had goes on without
     * them: it may never come to the import, and says what is missing if it does.
     */
    private Optional<String> infer(String version, Set<String> names, Consumer<String> progress) throws IOException {
        if (names.isEmpty()) {
            goOnWithout(version, WITHOUT_NEED);
            return Optional.empty();
        }
        progress.accept("Packages inferred from imports: " + String.join(", ", names)
                + ". List them in the script to choose versions (PEP 723).\n");
        Path requirements = Files.createTempFile(folder, "new-", ".txt");
        try {
            Files.writeString(requirements, String.join("\n", names) + "\n");
            return choose(requirements, progress);
        } catch (PackageException unavailable) {
            progress.accept("The script begins without them. " + unavailable.getMessage() + "\n");
            goOnWithout(version, WITHOUT_SUCCESS);
            return Optional.empty();
        } finally {
            Files.deleteIfExists(requirements);
        }
    }

    /** Packages for the modules that the sources need and that neither they nor the interpreter have. */
    private Set<String> inferred(PythonSources sources) throws IOException {
        var names = new TreeSet<String>();
        for (String source : sources.texts()) {
            if (!missing(ImportScan.modules(source), sources).isEmpty()) {
                missing(python.imports(source), sources).forEach(module -> names.add(PackageNames.of(module)));
            }
        }
        return names;
    }

    private Set<String> missing(Set<String> modules, PythonSources sources) throws IOException {
        Set<String> missing = new TreeSet<>(modules);
        missing.removeAll(python.facts().modules());
        missing.removeAll(sources.own());
        return missing;
    }

    private PreparedPackages install(List<LockedPackage> wanted, Consumer<String> progress)
            throws IOException, PackageException {
        List<String> used = cache.beginUse(wanted);
        try {
            installMissing(wanted, progress);
            return cache.prepared(wanted, () -> cache.endUse(used));
        } catch (IOException | PackageException | RuntimeException e) {
            cache.endUse(used);
            throw e;
        }
    }

    private void installMissing(List<LockedPackage> wanted, Consumer<String> progress)
            throws IOException, PackageException {
        List<LockedPackage> missing = cache.missing(wanted);
        if (!missing.isEmpty()) {
            progress.accept("Installing " + missing.size() + (missing.size() == 1 ? " package …\n" : " packages …\n"));
            long start = System.nanoTime();
            cache.install(missing);
            // Packages for other machines have nothing to install.
            String names = cache.present(missing).stream()
                    .map(one -> one.name() + " " + one.version())
                    .collect(Collectors.joining(", "));
            progress.accept(String.format(
                    Locale.ROOT, "Installed %s in %.1f s.%n", names, (System.nanoTime() - start) / NANOS_PER_SECOND));
            Threads.daemon("millrace-package-eviction", this::evict).start();
        }
    }

    private Path lockFile(String version) throws IOException {
        return Files.createDirectories(folder.resolve("locks"))
                .resolve(version + "-" + python.facts().name() + ".txt");
    }

    private static void write(Path file, String text) throws IOException {
        Path parent = file.getParent();
        Path fresh = Files.createTempFile(parent, "new-", ".txt");
        Files.writeString(fresh, text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
