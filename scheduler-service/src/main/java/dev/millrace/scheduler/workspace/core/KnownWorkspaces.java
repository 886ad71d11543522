package dev.millrace.scheduler.workspace.core;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All workspaces at one moment, found by name or key. Immutable. */
public final class KnownWorkspaces {
    public static final KnownWorkspaces NONE = new KnownWorkspaces(List.of());

    private final List<KnownWorkspace> all;
    private final Map<String, KnownWorkspace> byName = new HashMap<>();
    private final Map<String, KnownWorkspace> byKey = new HashMap<>();
    private final List<Workspace> shared;
    private final boolean translates;

    /** Keeps the given workspaces in their order. */
    public KnownWorkspaces(List<KnownWorkspace> all) {
        this.all = List.copyOf(all);
        for (KnownWorkspace each : all) {
            byKey.put(each.key().name(), each);
            byName.put(each.key().name(), each);
        }
        // A name that is used today has precedence over a key of another workspace.
        for (KnownWorkspace each : all) {
            each.formerNames().forEach(name -> byName.put(name, each));
            byName.put(each.name(), each);
        }
        this.translates =
                all.stream().anyMatch(each -> !each.name().equals(each.key().name()));
        this.shared = all.stream()
                .filter(each -> each.hasOwnTags() && !each.isIsolated())
                .map(KnownWorkspace::key)
                .toList();
    }

    /** Whether a workspace has a name other than its key. */
    public boolean translates() {
        return translates;
    }

    public List<KnownWorkspace> all() {
        return all;
    }

    /** Finds a workspace by its name, a former name, or its key. */
    public Optional<KnownWorkspace> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public Optional<KnownWorkspace> find(Workspace key) {
        return Optional.ofNullable(byKey.get(key.name()));
    }

    /** The present name of the workspace with this key; the key itself if there is none. */
    public String nameOf(String key) {
        KnownWorkspace known = byKey.get(key);
        return known == null ? key : known.name();
    }

    /** The tag under which jobs of a workspace with this tag wait. */
    public String route(Workspace key, String tag) {
        KnownWorkspace known = byKey.get(key.name());
        return known != null && known.hasOwnTags() ? WorkspaceTag.of(key, tag) : tag;
    }

    /**
     * The tags under which jobs wait that a worker may take.
     *
     * @param tags that the worker announces
     * @param only workspaces of its token; absent for all that are not isolated
     */
    public List<String> tagsFor(List<String> tags, Optional<Set<Workspace>> only) {
        Set<String> served = new LinkedHashSet<>(only.isPresent() ? List.of() : tags);
        for (Workspace owner : only.isPresent() ? only.get() : shared) {
            tags.forEach(tag -> served.add(WorkspaceTag.of(owner, tag)));
        }
        return List.copyOf(served);
    }

    /** Whether a worker may take jobs of the workspace. */
    public boolean mayServe(Workspace key, Optional<Set<Workspace>> only) {
        return only.map(some -> some.contains(key)).orElseGet(() -> !isIsolated(key));
    }

    /** Number of workspaces with tags of their own that are served by all workers. */
    public int sharedWithOwnTags() {
        return shared.size();
    }

    /** Those of the workspaces whose jobs wait under the tags of all. */
    public List<Workspace> withoutOwnTags(Set<Workspace> keys) {
        List<Workspace> without = new ArrayList<>(keys);
        without.removeIf(key -> find(key).filter(KnownWorkspace::hasOwnTags).isPresent());
        return without;
    }

    private boolean isIsolated(Workspace key) {
        KnownWorkspace known = byKey.get(key.name());
        return known != null && known.isIsolated();
    }
}
