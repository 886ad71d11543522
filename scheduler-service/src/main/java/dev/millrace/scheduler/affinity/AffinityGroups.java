package dev.millrace.scheduler.affinity;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The affinity groups of a run, by the keys of their containers. */
record AffinityGroups(Map<String, AffinityGroup> byKey) {
    static final AffinityGroups NONE = new AffinityGroups(Map.of());

    static AffinityGroups of(List<AffinityGroup> groups) {
        AffinityGroups all = NONE;
        for (AffinityGroup group : groups) {
            all = all.with(group);
        }
        return all;
    }

    Optional<AffinityGroup> find(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    Collection<AffinityGroup> all() {
        return byKey.values();
    }

    /** Returns these groups with one more, replacing any group with the same key. */
    AffinityGroups with(AffinityGroup group) {
        Map<String, AffinityGroup> changed = new LinkedHashMap<>(byKey);
        changed.put(group.key(), group);
        return new AffinityGroups(changed);
    }

    AffinityGroups without(AffinityGroup group) {
        Map<String, AffinityGroup> changed = new LinkedHashMap<>(byKey);
        changed.remove(group.key());
        return new AffinityGroups(changed);
    }
}
