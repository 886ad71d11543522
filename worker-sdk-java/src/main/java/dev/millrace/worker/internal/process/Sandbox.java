package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.ScriptSandbox;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Command lines of bubblewrap, which starts a program in name spaces of its own: an empty file system with the system's
 * programs and what the script needs, no other processes, and no network. Each process gets a sandbox of its own.
 */
public final class Sandbox {
    private static final Logger logger = LoggerFactory.getLogger(Sandbox.class);

    /** Folders with the programs of the system; links on most systems. */
    private static final List<String> PROGRAMS = List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");

    /** Files that programs of the system read and that hold no secrets. */
    private static final List<String> SETTINGS = List.of(
            "alternatives",
            "ca-certificates",
            "group",
            "host.conf",
            "hosts",
            "ld.so.cache",
            "localtime",
            "mime.types",
            "nsswitch.conf",
            "passwd",
            "pki/tls",
            "resolv.conf",
            "ssl/certs",
            "ssl/openssl.cnf");

    private static final String NO_NETWORK = "--unshare-net";

    private final List<String> beginning;
    private final List<Path> interpreters;

    private Sandbox(List<String> beginning, Collection<Path> interpreters) {
        this.beginning = List.copyOf(beginning);
        this.interpreters = List.copyOf(interpreters);
    }

    /**
     * Finds out whether there is to be a sandbox, and tries it.
     *
     * @param launcher command before that of bubblewrap
     * @param interpreters files and folders of the interpreters, which processes may read
     * @throws IllegalStateException if there must be one and bubblewrap does not work
     */
    static Optional<Sandbox> of(ScriptSandbox wish, List<String> launcher, Collection<Path> interpreters) {
        if (wish.choice() == ScriptSandbox.Choice.NONE) {
            return Optional.empty();
        }
        Optional<Sandbox> found = find(wish.network(), launcher, interpreters);
        if (found.isEmpty()) {
            String missing = "bubblewrap does not work here: install the package bubblewrap and allow user name spaces";
            if (wish.choice() == ScriptSandbox.Choice.BWRAP) {
                throw new IllegalStateException(
                        "The worker does not start, because millrace.worker.sandbox is bwrap and " + missing
                                + ", or set millrace.worker.sandbox to none.");
            }
            logger.warn("Scripts run without a sandbox, because {}.", missing);
        }
        return found;
    }

    /** The same with the network of the machine, for the worker's own programs. */
    Sandbox withNetwork() {
        return new Sandbox(
                beginning.stream().filter(word -> !word.equals(NO_NETWORK)).toList(), interpreters);
    }

    /** The same without a network, for programs that only read. */
    Sandbox withoutNetwork() {
        List<String> command = new ArrayList<>(withNetwork().beginning);
        command.add(NO_NETWORK);
        return new Sandbox(command, interpreters);
    }

    /** Whether bubblewrap works here. Tries it, which takes some 10 ms. */
    public static boolean isPossible() {
        return find(true, List.of(), List.of()).isPresent();
    }

    private static Optional<Sandbox> find(boolean network, List<String> launcher, Collection<Path> interpreters) {
        return Executables.find("bwrap")
                .map(program -> new Sandbox(beginning(program, network), interpreters))
                .filter(sandbox -> sandbox.works(launcher));
    }

    private boolean works(List<String> launcher) {
        List<String> trial = new ArrayList<>(launcher);
        trial.addAll(command(Path.of("/"), List.of(), List.of()));
        trial.add("true");
        return ScrubbedCommand.succeeds(trial);
    }

    private static List<String> beginning(Path program, boolean network) {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--die-with-parent",
                "--unshare-user",
                "--unshare-pid",
                "--unshare-ipc",
                "--unshare-uts",
                "--unshare-cgroup-try",
                "--cap-drop",
                "ALL",
                "--proc",
                "/proc",
                "--dev",
                "/dev",
                "--ro-bind",
                "/usr",
                "/usr"));
        if (!network) {
            command.add(NO_NETWORK);
        }
        PROGRAMS.forEach(name -> command.addAll(programs(Path.of("/", name))));
        SETTINGS.forEach(name -> command.addAll(readable(Path.of("/etc", name))));
        return command;
    }

    private static List<String> programs(Path folder) {
        if (Files.isSymbolicLink(folder)) {
            // As it is on merged systems: a relative link to a folder below /usr.
            return List.of("--symlink", "usr/" + folder.getFileName(), folder.toString());
        }
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) ? readable(folder) : List.of();
    }

    private static List<String> readable(Path path) {
        return List.of("--ro-bind-try", path.toString(), path.toString());
    }

    /**
     * Beginning of a command line that runs the rest in a sandbox.
     *
     * @param folder working folder
     * @param readable files and folders that the process may read
     * @param writable folders in which it may write, and which exist
     */
    List<String> command(Path folder, Collection<Path> readable, Collection<Path> writable) {
        requireNonNull(folder, "folder");
        List<String> command = new ArrayList<>(beginning);
        interpreters.forEach(path -> command.addAll(readable(path)));
        readable.forEach(path -> command.addAll(readable(path.toAbsolutePath())));
        for (Path path : writable) {
            command.addAll(List.of("--bind", path.toString(), path.toString()));
        }
        command.addAll(List.of("--remount-ro", "/", "--chdir", folder.toString(), "--"));
        return command;
    }
}
