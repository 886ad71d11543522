package dev.millrace.scheduler.script;

import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.List;
import java.util.Optional;

/** The versions of scripts. Arguments have been checked by the caller. Blocking and thread-safe. */
public final class Scripts {
    private static final int CACHED_MAX = 1_000;

    private final ScriptStore store;
    /** What a submit by hash needs to know. */
    private final BoundedCache<VersionKey, Script> versions = new BoundedCache<>(CACHED_MAX);

    /** Where paths led to when last looked at; versions without content. */
    private final BoundedCache<PathKey, Script> paths = new BoundedCache<>(CACHED_MAX);

    private record VersionKey(String workspace, String hash) {}

    private record PathKey(String workspace, String path) {}

    public Scripts(ScriptStore store) {
        this.store = store;
    }

    /** Stores a version and makes it the current one of its path. */
    public Script deploy(String workspace, String path, Language language, String content) {
        Script deployed = store.deploy(workspace, path, ScriptHash.of(language, content), language, content);
        paths.put(new PathKey(workspace, path), deployed.withoutContent());
        remember(deployed);
        return deployed;
    }

    /**
     * Stores a version that no path leads to, for example a file that belongs to a flow.
     *
     * @param path by which people know it
     */
    public Script store(String workspace, String path, Language language, String content) {
        Script stored = store.store(workspace, path, ScriptHash.of(language, content), language, content);
        remember(stored);
        return stored;
    }

    /** Lets a path lead nowhere, see {@link ScriptStore#delete}. Other schedulers notice when they next submit by it. */
    public Optional<Script> delete(String workspace, String path, boolean force) {
        Optional<Script> deleted = store.delete(workspace, path, force);
        paths.remove(new PathKey(workspace, path));
        return deleted;
    }

    private void remember(Script version) {
        versions.put(new VersionKey(version.workspace(), version.hash()), version.withoutContent());
    }

    public Optional<Script> find(String workspace, String hash) {
        return store.find(workspace, hash);
    }

    public Optional<Script> findCurrent(String workspace, String path) {
        return store.findCurrent(workspace, path);
    }

    /** A version without content; cached, so that its path, which may change, is only for people. */
    public Optional<Script> findCached(String workspace, String hash) {
        return versions.find(
                new VersionKey(workspace, hash), _ -> find(workspace, hash).map(Script::withoutContent));
    }

    /** The current version of a path, without content. */
    public Optional<Script> findCurrentWithoutContent(String workspace, String path) {
        Optional<Script> current = store.findCurrentWithoutContent(workspace, path);
        current.ifPresent(script -> paths.put(new PathKey(workspace, path), script));
        return current;
    }

    /** What was the current version of a path when this scheduler last looked or deployed; without content. */
    public Optional<Script> findRemembered(String workspace, String path) {
        return paths.find(new PathKey(workspace, path));
    }

    /** Current versions with a path greater than {@code afterPath}, by path, without content. */
    public List<Script> list(String workspace, String afterPath, int limit) {
        return store.list(workspace, afterPath, limit);
    }
}
