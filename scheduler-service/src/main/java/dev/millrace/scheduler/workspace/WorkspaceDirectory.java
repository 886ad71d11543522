package dev.millrace.scheduler.workspace;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.TagRoutes;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.workspace.core.KnownWorkspace;
import dev.millrace.scheduler.workspace.core.KnownWorkspaces;
import dev.millrace.scheduler.workspace.core.WorkspaceState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All workspaces, in memory. They are read again when they change, here or on another scheduler, when a request names one
 * that is unknown, and from time to time in case a notification was lost. Thread-safe.
 */
public final class WorkspaceDirectory implements WorkspaceGate, TagRoutes, AutoCloseable {
    /** How often the workspaces are read without a reason. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(10);
    /** Shortest time between two looks for unknown workspaces, which anybody with a token can cause. */
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(200);
    /** Maximum number of workspaces that are not isolated and have workers of their own: all other workers look for each. */
    private static final int SHARED_WITH_OWN_TAGS_MAX = 200;

    private final WorkspaceStore store;
    private final EventBus bus;
    private final Loop loop;
    private volatile KnownWorkspaces known = KnownWorkspaces.NONE;
    private volatile long readNanos;

    private WorkspaceDirectory(Database database, EventBus bus) {
        this.store = new WorkspaceStore(database);
        this.bus = bus;
        this.loop = Loop.start("workspaces", HEALING_INTERVAL, this::read);
    }

    /** Reads all workspaces. Fails if the database does not answer. */
    public static WorkspaceDirectory start(Database database, EventBus bus) {
        WorkspaceDirectory directory = new WorkspaceDirectory(database, bus);
        directory.read();
        return directory;
    }

    /** Reads the workspaces soon, because they may have changed elsewhere. */
    public void wake() {
        loop.wake();
    }

    @Override
    public void close() {
        loop.close();
    }

    /** Reads the workspaces at once. */
    final synchronized void read() {
        KnownWorkspaces before = known;
        KnownWorkspaces now = store.list();
        known = now;
        readNanos = System.nanoTime();
        if (!before.all().equals(now.all())) {
            bus.publish(new WorkspacesRead());
        }
    }

    KnownWorkspaces known() {
        return known;
    }

    @Override
    public String keyOf(String name) {
        return named(name).map(found -> found.key().name()).orElse(name);
    }

    @Override
    public String nameOf(String key) {
        return known.nameOf(key);
    }

    @Override
    public boolean translates() {
        return known.translates();
    }

    @Override
    public void require(Workspace workspace, boolean isInArchived, Access access) {
        KnownWorkspace found = named(workspace.name()).orElseThrow(() -> notFound(workspace, access));
        if (found.state() != WorkspaceState.ACTIVE && !isInArchived) {
            throw archived(found);
        }
    }

    @Override
    public MillraceException notFound(Workspace workspace, Access access) {
        String name = nameOf(workspace.name());
        return access.rights().allowsInstance(Role.OWNER)
                ? new MillraceException(
                        ErrorCode.WORKSPACE_NOT_FOUND,
                        "There is no workspace " + name + ": create it with `millrace workspaces create " + name
                                + "`, or look for a typing error in its name.")
                : MillraceException.hiding(
                        ErrorCode.WORKSPACE_NOT_FOUND,
                        access.name() + " has no role in a workspace " + name
                                + ": ask an admin of the workspace for one, or look for a typing error in its name.");
    }

    @Override
    public String route(Workspace workspace, String tag) {
        return known.route(workspace, tag);
    }

    /** The tags under which jobs wait that a worker may take which announces these tags. */
    public List<String> tagsFor(List<String> tags, WorkerScope scope) {
        return known.tagsFor(tags, scope.workspaces());
    }

    /** Whether a worker may take jobs of the workspace. */
    public boolean mayServe(Workspace workspace, WorkerScope scope) {
        return known.mayServe(workspace, scope.workspaces());
    }

    /** The workspaces in which the caller has a role. */
    public Set<Workspace> visibleTo(Access access) {
        return visible(access).map(KnownWorkspace::key).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the caller has a role in a workspace that is not isolated. */
    public boolean showsShared(Access access) {
        return visible(access).anyMatch(each -> !each.isIsolated());
    }

    private Stream<KnownWorkspace> visible(Access access) {
        return known.all().stream().filter(each -> access.rights().allowsAnyFolder(Role.VIEWER, each.key()));
    }

    /**
     * Gives the workspaces that a worker's token names tags of their own, so that jobs of others are never offered to the
     * worker. Blocking if one of them has none yet.
     */
    public void prepareFor(WorkerScope scope) {
        List<Workspace> without = scope.workspaces().map(known::withoutOwnTags).orElse(List.of());
        if (without.isEmpty()) {
            return;
        }
        if (known.sharedWithOwnTags() + without.size() > SHARED_WITH_OWN_TAGS_MAX) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY_WORKSPACES,
                    "The installation has " + known.sharedWithOwnTags()
                            + " workspaces with workers of their own that are not isolated, and cannot have more than "
                            + SHARED_WITH_OWN_TAGS_MAX + ": isolate some of them.");
        }
        if (store.giveOwnTags(without, JobMoves.MOVING) > 0) {
            changed();
        }
    }

    /** Reads the workspaces again after a change, and tells the other schedulers. */
    void changed() {
        read();
        bus.publish(new WorkspacesChanged());
    }

    private Optional<KnownWorkspace> named(String name) {
        Optional<KnownWorkspace> found = known.named(name);
        if (found.isPresent() || isReadLately()) {
            return found;
        }
        look();
        return known.named(name);
    }

    /** Reads the workspaces for all that wait for it at the same time. */
    private synchronized void look() {
        if (!isReadLately()) {
            read();
        }
    }

    private boolean isReadLately() {
        return System.nanoTime() - readNanos < LOOK_INTERVAL.toNanos();
    }

    private static MillraceException archived(KnownWorkspace workspace) {
        return new MillraceException(
                ErrorCode.WORKSPACE_ARCHIVED,
                workspace.state() == WorkspaceState.DELETING
                        ? "Workspace " + workspace.name() + " is being deleted, so it accepts neither work nor changes."
                        : "Workspace " + workspace.name()
                                + " is archived, so it accepts neither work nor changes: restore it with"
                                + " `millrace workspaces restore " + workspace.name() + "`.");
    }
}
