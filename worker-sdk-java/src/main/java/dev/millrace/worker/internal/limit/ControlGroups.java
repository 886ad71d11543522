package dev.millrace.worker.internal.limit;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.ControlGroupChoice;
import dev.millrace.worker.JobLimits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Control groups (cgroup v2) for processes of scripts. Each process gets a group of its own, which all its descendants
 * share: the system itself refuses what goes beyond the group's limits, and ends all members at once. Neither
 * needs to find the members, so a program that forks without end escapes neither. Where the system has the controller of
 * tasks in cgroup v1, a second group there has that limit.
 *
 * <p>Source: the kernel's documents Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/pids.rst.
 */
public final class ControlGroups implements AutoCloseable {
    /**
     * Tasks for each process that a job may have, since the system counts threads, too. {@link LimitCheck} counts
     * processes exactly; this wall is for what happens between two of its looks.
     */
    static final int TASKS_PER_PROCESS = 16;

    private static final Logger logger = LoggerFactory.getLogger(ControlGroups.class);

    private final ControlTree.Folders folders;
    private final Map<String, ControlGroup> groups = new ConcurrentHashMap<>();

    ControlGroups(ControlTree.Folders folders) {
        this.folders = requireNonNull(folders, "folders");
    }

    /**
     * Finds out whether there are to be control groups, and tries them.
     *
     * @throws IllegalStateException if there must be some and they do not work
     */
    public static Optional<ControlGroups> of(ControlGroupChoice wish) {
        if (wish == ControlGroupChoice.NONE) {
            return Optional.empty();
        }
        try {
            ControlGroups made = new ControlGroups(ControlTree.ofThisProcess().newFolders());
            made.create("trial", JobLimits.DEFAULTS).close();
            return Optional.of(made);
        } catch (IOException e) {
            String missing = "control groups do not work here (" + e.getMessage()
                    + "): delegate a control group (cgroup v2) to the worker's user, as Delegate=yes of systemd does";
            if (wish == ControlGroupChoice.REQUIRED) {
                throw new IllegalStateException(
                        "The worker does not start, because millrace.worker.control-groups is required and " + missing
                                + ", or set millrace.worker.control-groups to none.",
                        e);
            }
            logger.warn("Scripts run without control groups, because {}.", missing);
            return Optional.empty();
        }
    }

    /** The folder below which all groups are that end their members. */
    public Path folder() {
        return folders.groups();
    }

    /** The folder below which all groups of cgroup v1 are that limit tasks, if there are such. */
    public Optional<Path> tasksFolder() {
        return folders.tasks();
    }

    /**
     * Makes the group of a process, which does not exist yet.
     *
     * @throws IOException if the system refuses; a controller that has not been delegated is no such reason
     */
    public ControlGroup create(String processId, JobLimits limits) throws IOException {
        Path path = Files.createDirectory(folders.groups().resolve(requireNonNull(processId, "processId")));
        ControlGroup group = new ControlGroup(
                path, folders.tasks().map(tasks -> tasks.resolve(processId)), () -> groups.remove(processId));
        groups.put(processId, group);
        group.limitTasks(limits.processes() == 0 ? 0 : (limits.processes() + 1L) * TASKS_PER_PROCESS);
        if (limits.memoryBytes() > 0) {
            group.set("memory.max", Long.toString(limits.memoryBytes()));
            group.set("memory.swap.max", "0");
            group.set("memory.oom.group", "1");
        }
        return group;
    }

    /** Ends all members of all groups, and removes the groups. */
    @Override
    public void close() {
        groups.values().forEach(ControlGroup::close);
        ControlTree.remove(folders.groups());
        folders.tasks().ifPresent(ControlTree::remove);
    }

    /** Removes the groups of workers that have ended; the system keeps those that have members. */
    static void removeLeft(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, ControlTree::isLeft)) {
            for (Path left : folders) {
                try (DirectoryStream<Path> children = Files.newDirectoryStream(left, Files::isDirectory)) {
                    children.forEach(ControlTree::remove);
                }
                ControlTree.remove(left);
            }
        }
    }
}
