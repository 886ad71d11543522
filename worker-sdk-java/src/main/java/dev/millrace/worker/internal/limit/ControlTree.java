package dev.millrace.worker.internal.limit;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control group that this process has been started in, if it may make groups below it. A group whose controllers
 * are passed on must have no members of its own, so this process moves to a group below first.
 */
final class ControlTree {
    private static final Logger logger = LoggerFactory.getLogger(ControlTree.class);
    private static final String PREFIX = "millrace-";

    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,18})-.*");

    private static final String TASKS = "pids";

    /** What is limited. CPU is shared by the machine's own rules. */
    private static final List<String> CONTROLLERS = List.of(TASKS, "memory");

    private static @Nullable ControlTree own;

    private final Path root;
    private final Optional<Path> tasksRoot;
    private final AtomicInteger folders = new AtomicInteger();

    private ControlTree(Path root, Optional<Path> tasksRoot) {
        this.root = requireNonNull(root, "root");
        this.tasksRoot = requireNonNull(tasksRoot, "tasksRoot");
    }

    /**
     * Where groups are made.
     *
     * @param groups folder below which all groups are
     * @param tasks folder of as many groups of cgroup v1, which limit only the number of tasks, if the system keeps that
     *     controller there
     */
    record Folders(Path groups, Optional<Path> tasks) {
        Folders {
            requireNonNull(groups, "groups");
            requireNonNull(tasks, "tasks");
        }
    }

    /** Returns the tree of this process, which moves into it with the first call. */
    static synchronized ControlTree ofThisProcess() throws IOException {
        ControlTree found = own;
        if (found == null) {
            List<String> mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
            List<String> groups = Files.readAllLines(Path.of("/proc/self/cgroup"));
            found = new ControlTree(find(mounts, groups), findTasks(mounts, groups));
            found.moveIn();
            own = found;
        }
        return found;
    }

    /**
     * Finds the folder of a process's control group.
     *
     * @param mounts lines of {@code /proc/PID/mountinfo}
     * @param groups lines of {@code /proc/PID/cgroup}
     */
    static Path find(List<String> mounts, List<String> groups) throws IOException {
        String mount = mounts.stream()
                .filter(line -> line.contains(" - cgroup2 "))
                .map(line -> line.split(" ", -1)[4])
                .findFirst()
                .orElseThrow(() -> new IOException("no cgroup v2 is mounted"));
        String group = groups.stream()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> line.substring("0::/".length()))
                .findFirst()
                .orElseThrow(() -> new IOException("the worker is in no group of cgroup v2"));
        return Path.of(mount).resolve(group);
    }

    /**
     * Finds the folder of a process's group in the hierarchy of cgroup v1 that limits the number of tasks. Systems with both
     * versions have each controller in one of them.
     *
     * @param mounts lines of {@code /proc/PID/mountinfo}
     * @param groups lines of {@code /proc/PID/cgroup}
     */
    static Optional<Path> findTasks(List<String> mounts, List<String> groups) {
        return mounts.stream()
                .filter(line -> line.contains(" - cgroup ") && hasTasks(line.substring(line.lastIndexOf(' ') + 1)))
                .map(line -> line.split(" ", -1))
                .flatMap(mount -> groups.stream()
                        .map(line -> line.split(":", 3))
                        .filter(group -> group.length == 3 && hasTasks(group[1]))
                        .map(group -> Path.of(mount[4]).resolve(below(mount[3], group[2]))))
                .findFirst();
    }

    private static boolean hasTasks(String controllers) {
        return List.of(controllers.split(",", -1)).contains(TASKS);
    }

    /** A container sees its own group as the root of the mounted tree. */
    private static String below(String root, String group) {
        return (group.equals(root) || group.startsWith(root + "/") ? group.substring(root.length()) : group)
                .replaceFirst("^/+", "");
    }

    private void moveIn() throws IOException {
        ControlGroups.removeLeft(root);
        if (tasksRoot.isPresent()) {
            ControlGroups.removeLeft(tasksRoot.get());
        }
        Path worker = Files.createDirectory(
                root.resolve(nameOf(ProcessHandle.current().pid(), "worker")));
        write(worker.resolve("cgroup.procs"), "0");
        passOn(root);
    }

    /** Makes folders for groups, below which the controllers limit. */
    Folders newFolders() throws IOException {
        String name = nameOf(ProcessHandle.current().pid(), "scripts-" + folders.incrementAndGet());
        Path folder = Files.createDirectory(root.resolve(name));
        passOn(folder);
        return new Folders(folder, tasksRoot.flatMap(tasks -> makeTasks(tasks, name)));
    }

    private static String nameOf(long worker, String what) {
        return PREFIX + worker + "-" + what;
    }

    /**
     * Whether a folder is of a worker that has ended, before this one makes its own. An empty one of another worker may be
     * about to get members.
     */
    static boolean isLeft(Path folder) {
        Matcher name = NAME.matcher(folder.getFileName().toString());
        return name.matches()
                && ProcessHandle.of(Long.parseLong(name.group(1)))
                        .filter(other -> other.isAlive() && !other.equals(ProcessHandle.current()))
                        .isEmpty();
    }

    private static Optional<Path> makeTasks(Path root, String name) {
        try {
            return Optional.of(Files.createDirectory(root.resolve(name)));
        } catch (IOException e) {
            logger.warn(
                    "The worker may make no groups below {}, so nothing limits the number of tasks of a process.",
                    root,
                    e);
            return Optional.empty();
        }
    }

    /** Passes on the controllers that this group has. Without them, groups still end all their members at once. */
    private void passOn(Path group) throws IOException {
        List<String> there = List.of(
                Files.readString(group.resolve("cgroup.controllers")).strip().split(" ", -1));
        for (String controller : CONTROLLERS) {
            try {
                if (there.contains(controller)) {
                    write(group.resolve("cgroup.subtree_control"), "+" + controller);
                } else if (!controller.equals(TASKS) || tasksRoot.isEmpty()) {
                    logger.info(
                            "The control group {} has no controller \"{}\", so it sets no such limit.",
                            group,
                            controller);
                }
            } catch (IOException e) {
                logger.warn(
                        "The controller \"{}\" of the control group {} cannot be passed on, so it sets no such limit:"
                                + " other programs run in the same group.",
                        controller,
                        group,
                        e);
            }
        }
    }

    /** Writes to a file of the system, which exists. */
    static void write(Path file, String value) throws IOException {
        Files.writeString(file, value, StandardOpenOption.WRITE);
    }

    /** Removes an empty group. Returns false if it is not empty. */
    static boolean remove(Path group) {
        try {
            Files.delete(group);
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
