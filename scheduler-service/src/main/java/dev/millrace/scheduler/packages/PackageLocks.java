package dev.millrace.scheduler.packages;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Optional;

/** Versions of packages that workers have chosen for scripts. Blocking and thread-safe. */
public final class PackageLocks {
    private final PackageLockStore store;

    public PackageLocks(Database database) {
        this.store = new PackageLockStore(database);
    }

    /** The lock of a version of a script, in the form of a {@code requirements.txt}; empty if none was chosen yet. */
    public Optional<String> find(Workspace workspace, String script, String interpreter) {
        return store.find(workspace, script, interpreter);
    }

    /** The locks of a version of a script, one for each interpreter that has run it. */
    public List<PackageLock> list(Workspace workspace, String script) {
        return store.list(workspace, script);
    }

    /**
     * Keeps a lock unless there is one, and returns the one that counts.
     *
     * @param inferred packages that were inferred from imports
     */
    public String keep(Workspace workspace, String script, String interpreter, String content, List<String> inferred) {
        return store.keep(workspace, script, interpreter, content, inferred);
    }
}
