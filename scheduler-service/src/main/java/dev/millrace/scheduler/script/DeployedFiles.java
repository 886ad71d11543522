package dev.millrace.scheduler.script;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.text.script.ScriptFiles;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The deployed scripts of a workspace as files that another script may import. If one of them has files of its own, the
 * script may import those as well, unless another script is deployed at their path. Serves one search; reads texts one
 * by one.
 */
final class DeployedFiles implements ScriptFiles.Source {
    private final ScriptStore store;
    private final Workspace workspace;
    private final Predicate<String> isReadable;
    /** Current versions of paths that were asked for. */
    private final Map<String, String> versions = new HashMap<>();
    /** Hashes of the texts that come with the versions read so far. */
    private final Map<String, String> brought = new HashMap<>();

    /** @param isReadable whether the caller may read the script at a path */
    DeployedFiles(ScriptStore store, Workspace workspace, Predicate<String> isReadable) {
        this.store = store;
        this.workspace = workspace;
        this.isReadable = isReadable;
    }

    @Override
    public Set<String> present(Collection<String> paths) {
        versions.putAll(store.findCurrentHashes(
                workspace, paths.stream().filter(isReadable).toList()));
        Set<String> present = new TreeSet<>(paths);
        present.removeIf(path -> !versions.containsKey(path) && !brought.containsKey(path));
        return present;
    }

    @Override
    public String read(String path) {
        String version = versions.get(path);
        if (version == null) {
            return store.text(brought.getOrDefault(path, ""));
        }
        store.fileHashes(version).forEach(brought::putIfAbsent);
        return store.content(version);
    }
}
