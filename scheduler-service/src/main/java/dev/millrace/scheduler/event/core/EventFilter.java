package dev.millrace.scheduler.event.core;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which events somebody wants and may see. What is absent or empty does not restrict.
 *
 * @param types types, or beginnings of types that end with {@code .*}
 * @param folder first part of the name
 * @param path the whole name
 * @param visibleFolders folders of which the reader may see what they hold; absent for all
 */
public record EventFilter(
        List<String> types,
        Optional<String> folder,
        Optional<String> path,
        Optional<RunId> run,
        Optional<Set<String>> visibleFolders) {
    /** Maximum number of types in a filter. */
    public static final int TYPES_MAX = 50;

    private static final String ANY = ".*";

    public EventFilter {
        types = List.copyOf(types);
    }

    /** What must be recorded, so that all events that match are stored. */
    public Scope scope() {
        return types.isEmpty() ? Scope.STEPS : scope(types);
    }

    /** What must be recorded for these types. */
    public static Scope scope(List<String> types) {
        return types.stream().map(Scope::of).max(Comparator.naturalOrder()).orElse(Scope.RUNS);
    }

    /** The same filter for a reader who may see these folders only. */
    public EventFilter seenIn(Optional<Set<String>> folders) {
        return new EventFilter(types, folder, path, run, folders);
    }

    public boolean matches(StoredEvent event) {
        return (types.isEmpty() || types.stream().anyMatch(type -> isOf(type, event.type())))
                && folder.filter(wanted -> !wanted.equals(event.folder())).isEmpty()
                && path.filter(wanted -> event.concernsWorker() || !wanted.equals(event.name()))
                        .isEmpty()
                && (run.isEmpty() || run.equals(event.run()))
                && isVisible(event);
    }

    private boolean isVisible(StoredEvent event) {
        return event.concernsWorker()
                || visibleFolders.isEmpty()
                || visibleFolders.get().contains(event.folder());
    }

    private static boolean isOf(String wanted, String type) {
        return wanted.endsWith(ANY) ? type.startsWith(wanted.substring(0, wanted.length() - 1)) : type.equals(wanted);
    }
}
