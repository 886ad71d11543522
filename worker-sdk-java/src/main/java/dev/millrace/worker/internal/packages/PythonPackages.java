package dev.millrace.worker.internal.packages;

import dev.millrace.text.script.WindmillHeader;
import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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

    private static final String NOT_DECLARED =
            "The packages that the script declares do not have it: declare the one that does.";

    private static final String ONLY_DECLARED =
            "This worker installs only packages that scripts declare: declare the one that has it (PEP 723).";

    private final Path folder;
    private final PythonInterpreter python;
    private final boolean infers;
    private final Uv uv;
    private final PackageCache cache;
    private final RequirementLines lines;
    private final PythonMetadata metadata;
    /** Held by those who prepare the packages of one script version, so that it is done once. */
    private final Object[] preparing = new Object[LOCKS];
    /** Script versions that go without packages. */
    private final Map<String, Without> without = new ConcurrentHashMap<>();

    private final AtomicBoolean evicting = new AtomicBoolean();

    /**
     * A script version goes without packages.
     *
     * @param untilNanos nanosecond until which it does
     * @param absent why a module has no package, by the first part of its name
     */
    private record Without(long untilNanos, Map<String, String> absent) {
        boolean isOver() {
            return untilNanos - System.nanoTime() <= 0;
        }
    }

    private PythonPackages(
            Path folder, PythonInterpreter python, boolean infers, Uv uv, PackageCache cache, RequirementRule rule) {
        this.folder = folder;
        this.lines = new RequirementLines(rule);
        this.metadata = new PythonMetadata(rule);
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
     * @param pythonFolders with its own modules, if they are not among the programs of the system
     * @param bytesMax size of all packages above which those that no process uses are removed
     * @param infers whether packages are inferred from the imports of a script that declares none
     * @param installers how uv and the interpreter run
     * @param programs finds programs by name
     */
    public static PythonPackages in(
            Path folder,
            Path python,
            Collection<Path> pythonFolders,
            long bytesMax,
            boolean infers,
            Installers installers,
            Function<String, Optional<Path>> programs)
            throws IOException {
        Files.createDirectories(folder);
        Uv uv = new Uv(folder, installers, programs);
        PythonInterpreter interpreter = new PythonInterpreter(python, pythonFolders, installers);
        PackageCache cache = new PackageCache(folder, uv, interpreter, bytesMax);
        RequirementRule rule = new RequirementRule(installers.hosts());
        return new PythonPackages(folder, interpreter, infers, uv, cache, rule);
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
        Optional<PackageDeclaration> declaration = sources.declaration();
        if (!interpreterAnswers()) {
            return PreparedPackages.NONE;
        }
        if (declaration.isPresent()) {
            return declared(version, declaration.get(), locks, progress)
                    .without(Map.of(PreparedPackages.OTHERS, NOT_DECLARED));
        }
        Set<String> scanned = scanned(sources);
        if (!infers || scanned.isEmpty()) {
            return infers
                    ? PreparedPackages.NONE
                    : PreparedPackages.NONE.without(Map.of(PreparedPackages.OTHERS, ONLY_DECLARED));
        }
        Without known = without.get(version);
        return known != null && !known.isOver()
                ? PreparedPackages.NONE.without(known.absent())
                : inferred(version, sources, locks, progress);
    }

    private PreparedPackages declared(
            String version, PackageDeclaration declaration, LockKeeper locks, Consumer<String> progress)
            throws IOException, PackageException {
        synchronized (lockOf(version)) {
            Optional<String> lock = knownLock(version, locks);
            if (lock.isEmpty()) {
                lock = kept(version, choose(declaration, progress), Set.of(), locks);
            }
            return lock.isEmpty() ? PreparedPackages.NONE : install(LockedPackage.parse(lock.get()), progress);
        }
    }

    private PreparedPackages inferred(
            String version, PythonSources sources, LockKeeper locks, Consumer<String> progress)
            throws IOException, PackageException {
        synchronized (lockOf(version)) {
            Optional<String> lock = knownLock(version, locks);
            if (lock.isEmpty()) {
                InferredPackages inferred = inferred(sources);
                inferred.absent().values().stream().sorted().forEach(reason -> progress.accept(reason + "\n"));
                lock = kept(version, infer(version, inferred, progress), inferred.names(), locks);
            }
            if (lock.isEmpty()) {
                Without known = without.get(version);
                return PreparedPackages.NONE.without(known == null ? Map.of() : known.absent());
            }
            List<LockedPackage> chosen = LockedPackage.parse(lock.get());
            return install(chosen, progress).without(InferredPackages.absent(scanned(sources), chosen));
        }
    }

    /** The lock that counts once the scheduler has one. */
    private Optional<String> kept(String version, Optional<String> chosen, Set<String> inferred, LockKeeper locks)
            throws IOException {
        if (chosen.isEmpty()) {
            return chosen;
        }
        List<String> names = inferred.stream()
                .map(InferredPackages::nameOf)
                .distinct()
                .sorted()
                .toList();
        String lock = locks.keep(python.facts().name(), chosen.get(), names);
        write(lockFile(version), lock);
        return Optional.of(lock);
    }

    private Object lockOf(String version) {
        return preparing[Math.floorMod(version.hashCode(), LOCKS)];
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

    private void goOnWithout(String version, Duration time, Map<String, String> absent) {
        if (without.size() >= WITHOUT_MAX) {
            without.clear();
        }
        without.put(version, new Without(System.nanoTime() + time.toNanos(), Map.copyOf(absent)));
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

    private Optional<String> choose(PackageDeclaration declaration, Consumer<String> progress)
            throws IOException, PackageException {
        if (declaration instanceof PackageDeclaration.Listed listed) {
            return choose(listed.requirements(), progress);
        }
        Path file = ((PackageDeclaration.InFile) declaration).file();
        String text = Files.readString(file);
        String name = String.valueOf(file.getFileName());
        return choose(
                switch (name) {
                    case "requirements.txt" -> lines.read(text, name);
                    case "pyproject.toml" -> metadata.ofProject(text);
                    default -> metadata.ofScript(text);
                },
                progress);
    }

    private Optional<String> choose(Collection<String> names, Consumer<String> progress)
            throws IOException, PackageException {
        return choose(lines.of(new TreeSet<>(names), "the script"), progress);
    }

    /** Chooses versions of what a script declares; empty if that is nothing. */
    private Optional<String> choose(Requirements wanted, Consumer<String> progress)
            throws IOException, PackageException {
        progress.accept("Choosing versions of packages …\n");
        String lock = uv.compile(wanted, python);
        // Other packages may have brought in some that a script could not declare.
        for (LockedPackage one : LockedPackage.parse(lock)) {
            lines.locked(one);
        }
        return Optional.of(lock).filter(chosen -> !chosen.isBlank());
    }

    /**
     * Chooses versions of the packages that imports seem to need. A script whose imports cannot be had goes on without
     * them: it may never come to the import, and says what is missing if it does.
     */
    private Optional<String> infer(String version, InferredPackages inferred, Consumer<String> progress)
            throws IOException {
        if (inferred.names().isEmpty()) {
            goOnWithout(version, WITHOUT_NEED, inferred.absent());
            return Optional.empty();
        }
        String names = String.join(", ", new TreeSet<>(inferred.names()));
        progress.accept("Packages inferred from imports: " + names
                + ". List them in the script to choose versions (PEP 723).\n");
        try {
            return chooseThoseThatExist(inferred, progress);
        } catch (PackageException unavailable) {
            String reason = "The script begins without them. " + unavailable.getMessage();
            progress.accept(reason + "\n");
            Map<String, String> absent = new TreeMap<>(inferred.absent());
            absent.put(PreparedPackages.OTHERS, "Packages were inferred from imports: " + names + ". " + reason);
            goOnWithout(version, WITHOUT_SUCCESS, absent);
            return Optional.empty();
        }
    }

    /** Leaves out packages that no index has: one import that nobody can satisfy takes no other package away. */
    private Optional<String> chooseThoseThatExist(InferredPackages inferred, Consumer<String> progress)
            throws IOException, PackageException {
        InferredPackages left = inferred;
        while (true) {
            try {
                return choose(left.names(), progress);
            } catch (PackageException unavailable) {
                Set<String> unknown = left.notFound(unavailable);
                left = left.except(unknown);
                if (unknown.isEmpty() || left.names().isEmpty()) {
                    throw unavailable;
                }
                progress.accept("The script begins without " + String.join(", ", new TreeSet<>(unknown))
                        + ", as there is no such package.\n");
            }
        }
    }

    /** What the sources import, as a parser sees it, and what comments of theirs say about packages. */
    private InferredPackages inferred(PythonSources sources) throws IOException {
        var imports = new TreeSet<String>();
        var headers = new ArrayList<WindmillHeader>();
        for (String source : sources.texts()) {
            WindmillHeader header = WindmillHeader.of(source);
            headers.add(header);
            if (header.requirements().isEmpty()
                    && !missing(ImportScan.modules(source), sources).isEmpty()) {
                imports.addAll(python.imports(source));
            }
        }
        return InferredPackages.of(missing(imports, sources)).with(headers);
    }

    /** The modules that the sources seem to need, at a quick look, and that neither they nor the interpreter have. */
    private Set<String> scanned(PythonSources sources) throws IOException {
        var scanned = new TreeSet<String>();
        for (String source : sources.texts()) {
            scanned.addAll(missing(ImportScan.modules(source), sources));
            scanned.addAll(WindmillHeader.of(source).extra());
        }
        return scanned;
    }

    private Set<String> missing(Set<String> modules, PythonSources sources) throws IOException {
        Set<String> present = python.facts().modules();
        return modules.stream()
                .filter(module -> !present.contains(PackageNames.head(module))
                        && !sources.own().contains(PackageNames.head(module)))
                .collect(Collectors.toCollection(TreeSet::new));
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
