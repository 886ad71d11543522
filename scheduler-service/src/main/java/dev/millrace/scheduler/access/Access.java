package dev.millrace.scheduler.access;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import io.grpc.Context;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A caller and its rights. Each call has one; the interceptors put it into the context of the call.
 *
 * @param worker the jobs that the caller may take if it is a worker
 */
public record Access(Caller caller, Rights rights, WorkerScope worker) {
    /** The access of someone on the machine of a server that listens on loopback only. */
    public static final Access LOCAL = new Access(Caller.LOCAL, Rights.OF_OWNER, WorkerScope.ALL);

    /** The access of a worker in the process of the scheduler. */
    public static final Access OWN_WORKER = new Access(Caller.OWN_WORKER, Rights.NONE, WorkerScope.ALL);

    /** The access of someone unknown. */
    public static final Access ANONYMOUS = new Access(
            new Caller(CallerKind.ANONYMOUS, "anonymous", Optional.empty(), Optional.empty(), false),
            Rights.NONE,
            WorkerScope.ALL);

    private static final Context.Key<Access> KEY = Context.key("millrace.access");

    public Access {
        requireNonNull(caller, "caller");
        requireNonNull(rights, "rights");
        requireNonNull(worker, "worker");
    }

    /**
     * The access of the call that the present thread serves.
     *
     * @throws IllegalStateException outside calls, where code must be given the access that it needs
     */
    public static Access current() {
        Access access = KEY.get();
        if (access == null) {
            throw new IllegalStateException("there is no call in progress on this thread");
        }
        return access;
    }

    /** The given context with this access. */
    Context in(Context context) {
        return context.withValue(KEY, this);
    }

    /** What is recorded as the actor of what the caller does. */
    public String name() {
        return caller.name();
    }

    /**
     * Who is recorded as the actor of what the caller does: the caller, or whom a caller names that may act as others.
     */
    public String actor(String named) {
        return caller.mayActAs() ? named : name();
    }

    /** Fails if one of these people is neither the caller nor somebody as whom the caller may act. */
    public void requireMayActAs(Collection<String> people) {
        if (!caller.mayActAs() && people.stream().anyMatch(person -> !person.equals(name()))) {
            throw Denied.actingAs(this, people);
        }
    }

    /** Who is recorded as the one who started a run; empty for callers without a token. */
    public Optional<RunStarter> starter() {
        return caller.credential().map(token -> new RunStarter(caller.name(), Optional.of(token)));
    }

    /** Whether the caller has the role in the folder of this path. */
    public boolean allows(Role least, Workspace workspace, String path) {
        return rights.allows(least, workspace, Folder.of(path));
    }

    /** Fails unless the caller has the role in the folder of this path. */
    public void require(Role least, Workspace workspace, String path) {
        if (!allows(least, workspace, path)) {
            throw Denied.inFolder(this, least, workspace, Folder.of(path));
        }
    }

    /** Fails unless the caller may take jobs with these tags. */
    public void requireTags(Collection<String> tags) {
        worker.tags().filter(allowed -> !allowed.containsAll(tags)).ifPresent(allowed -> {
            throw Denied.tags(this, tags, allowed);
        });
    }

    /** The folders of which the caller may see what they hold; absent if it may see the whole workspace. */
    public Optional<Set<String>> visibleFolders(Workspace workspace) {
        return rights.allows(Role.VIEWER, workspace)
                ? Optional.empty()
                : Optional.of(rights.folders(Role.VIEWER, workspace));
    }

    /** Those of the paths that the caller may see. */
    public List<String> visible(Workspace workspace, List<String> paths) {
        Optional<Set<String>> folders = visibleFolders(workspace);
        return paths.stream()
                .filter(path -> folders.isEmpty() || folders.get().contains(Folder.of(path)))
                .toList();
    }

    /** Fails unless the caller has the role in the whole workspace. */
    public void requireWorkspace(Role least, Workspace workspace) {
        if (!rights.allows(least, workspace)) {
            throw Denied.inWorkspace(this, least, workspace);
        }
    }

    /** Fails unless the caller has the role in the installation. */
    public void requireInstallation(Role least) {
        if (!rights.allowsInstance(least)) {
            throw Denied.inInstallation(this, least);
        }
    }
}
