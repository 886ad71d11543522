package dev.millrace.scheduler.script;

import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.List;
import java.util.Optional;

/** The versions of scripts. Arguments have been checked by the caller. Blocking and thread-safe. */
public final class Scripts {
    private static final int CACHED_MAX = 1_000;

    private final ScriptStore store;
    /** Languages by hash: what a submit by hash needs to know. */
    private final BoundedCache<String, Language> languages = new BoundedCache<>(CACHED_MAX);

    public Scripts(ScriptStore store) {
        this.store = store;
    }

    /** Stores a version and makes it the current one of its path. */
    public Script deploy(String workspace, String path, Language language, String content) {
        return store.deploy(workspace, path, ScriptHash.of(language, content), language, content);
    }

    /** Stores a version that no path leads to, for example a file that belongs to a flow; returns its hash. */
    public String store(Language language, String content) {
        String hash = ScriptHash.of(language, content);
        store.insert(hash, language, content);
        return hash;
    }

    public Optional<Script> find(String workspace, String hash) {
        return store.find(workspace, hash);
    }

    public Optional<Script> findCurrent(String workspace, String path) {
        return store.findCurrent(workspace, path);
    }

    /** The language of a version; cached, because versions never change. */
    public Optional<Language> findLanguage(String hash) {
        return languages.find(hash, store::findLanguage);
    }

    /** Current versions with a path greater than {@code afterPath}, by path, without content. */
    public List<Script> list(String workspace, String afterPath, int limit) {
        return store.list(workspace, afterPath, limit);
    }
}
