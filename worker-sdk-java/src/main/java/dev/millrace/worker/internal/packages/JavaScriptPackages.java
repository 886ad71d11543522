package dev.millrace.worker.internal.packages;

import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes available what scripts for Deno or Bun import from registries and addresses: chooses versions unless that was done
 * before, and installs what is missing. A script that imports only its own files costs a look at its text. Blocking and
 * thread-safe.
 */
public final class JavaScriptPackages {
    private static final Logger logger = LoggerFactory.getLogger(JavaScriptPackages.class);

    private static final int LOCKS = 64;
    /** Largest number of script versions that are remembered to need no packages. */
    private static final int WITHOUT_MAX = 10_000;

    /** Most packages that the log of a job names. */
    private static final int NAMED_MAX = 20;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Path folder;
    private final SetInstaller installer;
    private final PackageSets sets;
    /** Held by those who prepare the packages of one script version, so that it is done once. */
    private final Object[] preparing = new Object[LOCKS];
    /** Script versions whose text seems to import packages and does not. */
    private final Set<String> without = ConcurrentHashMap.newKeySet();

    private volatile @Nullable String interpreter;

    private JavaScriptPackages(Path folder, SetInstaller installer, PackageSets sets) {
        this.folder = folder;
        this.installer = installer;
        this.sets = sets;
        Arrays.setAll(preparing, unused -> new Object());
    }

    /**
     * Opens the packages for Deno of a machine.
     *
     * @param place where they are
     * @param deno the program
     */
    public static JavaScriptPackages forDeno(Place place, Path deno) throws IOException {
        return in(place, new DenoInstaller(deno, place.installers()));
    }

    /**
     * Opens the packages for Bun of a machine.
     *
     * @param place where they are
     * @param bun the program
     */
    public static JavaScriptPackages forBun(Place place, Path bun) throws IOException {
        return in(place, new BunInstaller(bun, place.installers()));
    }

    private static JavaScriptPackages in(Place place, SetInstaller installer) throws IOException {
        return new JavaScriptPackages(
                place.folder(), installer, new PackageSets(place.folder(), place.workspaces(), place.bytesMax()));
    }

    /**
     * Where packages are, and how they come there.
     *
     * @param folder for packages; workers of one machine may share it
     * @param workspaces parent of the folders that processes of a workspace have for Deno
     * @param bytesMax size of all packages above which those that no process uses are removed
     * @param installers how the programs run that install them
     */
    public record Place(Path folder, Path workspaces, long bytesMax, Installers installers) {}

    /** Tidies up. */
    public void tidyUp() {
        try {
            sets.tidyUp();
        } catch (IOException e) {
            logger.atWarn().setCause(e).log("The cache of packages may stay above its limit.");
        }
    }

    /**
     * Makes the packages of a script available.
     *
     * @param version workspace and hash of the script's version
     * @param sources its files
     * @param locks keeps chosen versions for this script
     * @param progress takes lines for the log of the job that waits
     * @return the set of the script; nothing if it imports only its own files
     * @throws PackageException if a package does not exist or cannot be installed
     * @throws IOException if the worker cannot keep packages
     */
    public PreparedPackages prepare(
            String version, JavaScriptSources sources, LockKeeper locks, Consumer<String> progress)
            throws IOException, PackageException {
        if (without.contains(version) || !installer.mayNeedPackages(sources)) {
            return PreparedPackages.NONE;
        }
        synchronized (preparing[Math.floorMod(version.hashCode(), LOCKS)]) {
            Optional<SetLock> known = knownLock(version, locks);
            return known.isPresent()
                    ? install(known.get(), sources, progress)
                    : choose(version, sources, locks, progress);
        }
    }

    /** Forgets the versions that this machine knows for a script, so that the scheduler is asked the next time. */
    public void forget(String version) throws IOException {
        Files.deleteIfExists(lockFile(version));
    }

    /** The lock on this machine, or else the scheduler's. */
    private Optional<SetLock> knownLock(String version, LockKeeper locks) throws IOException {
        Path file = lockFile(version);
        if (Files.exists(file)) {
            return Optional.of(new SetLock(Files.readString(file)));
        }
        Optional<String> kept = locks.find(interpreter());
        if (kept.isPresent()) {
            write(file, kept.get());
        }
        return kept.map(SetLock::new);
    }

    /** Chooses versions, which installs them, and keeps the choice if no other worker was faster. */
    private PreparedPackages choose(
            String version, JavaScriptSources sources, LockKeeper locks, Consumer<String> progress)
            throws IOException, PackageException {
        progress.accept("Choosing versions of packages …\n");
        long start = System.nanoTime();
        Path fresh = sets.begin(interpreter());
        try {
            Optional<SetLock> chosen = installer.install(sources, fresh);
            if (chosen.isEmpty()) {
                goOnWithout(version);
                return PreparedPackages.NONE;
            }
            SetLock kept = new SetLock(locks.keep(interpreter(), chosen.get().text(), List.of()));
            write(lockFile(version), kept.text());
            if (!kept.equals(chosen.get())) {
                return install(kept, sources, progress);
            }
            return using(kept, set -> {
                PackageSets.publish(fresh, set);
                tellInstalled(kept, start, progress);
            });
        } finally {
            Folders.deleteIfThere(fresh);
        }
    }

    private PreparedPackages install(SetLock lock, JavaScriptSources sources, Consumer<String> progress)
            throws IOException, PackageException {
        return using(lock, set -> {
            if (!Files.isDirectory(set)) {
                progress.accept("Installing packages …\n");
                long start = System.nanoTime();
                Path fresh = sets.begin(interpreter());
                try {
                    Files.writeString(fresh.resolve(installer.lockFile()), lock.text());
                    var unused = installer.install(sources, fresh);
                    PackageSets.publish(fresh, set);
                } finally {
                    Folders.deleteIfThere(fresh);
                }
                tellInstalled(lock, start, progress);
            }
        });
    }

    private interface Completion {
        void complete(Path set) throws IOException, PackageException;
    }

    /** The set of a lock, which stays until the result is closed. */
    private PreparedPackages using(SetLock lock, Completion completion) throws IOException, PackageException {
        Path set = sets.of(interpreter(), lock);
        Map<String, String> versions = installer.versions(lock);
        sets.beginUse(set);
        try {
            completion.complete(set);
            return new PreparedPackages(List.of(set), versions, () -> sets.endUse(set));
        } catch (IOException | PackageException | RuntimeException e) {
            sets.endUse(set);
            throw e;
        }
    }

    private void tellInstalled(SetLock lock, long start, Consumer<String> progress) throws PackageException {
        Map<String, String> versions = installer.versions(lock);
        String names = versions.entrySet().stream()
                .limit(NAMED_MAX)
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
        String more = versions.size() > NAMED_MAX ? " and " + (versions.size() - NAMED_MAX) + " more" : "";
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        progress.accept(String.format(Locale.ROOT, "Installed %s%s in %.1f s.%n", names, more, seconds));
        Threads.daemon("millrace-package-eviction", this::tidyUp).start();
    }

    private void goOnWithout(String version) {
        if (without.size() >= WITHOUT_MAX) {
            without.clear();
        }
        without.add(version);
    }

    private String interpreter() throws IOException {
        String known = interpreter;
        if (known == null) {
            known = installer.interpreter();
            interpreter = known;
        }
        return known;
    }

    private Path lockFile(String version) throws IOException {
        return Files.createDirectories(folder.resolve("locks")).resolve(version + "-" + interpreter() + ".json");
    }

    private static void write(Path file, String text) throws IOException {
        Path fresh = Files.createTempFile(file.getParent(), Folders.NEW, ".json");
        Files.writeString(fresh, text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
