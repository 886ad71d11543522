package dev.millrace.scheduler.secret.external;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.BoundedCache;
import dev.millrace.scheduler.secret.core.StoreKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Values of other programs, each remembered for a minute. Thread-safe. */
public final class ExternalValues {
    /** How long a value is remembered; a new value is used at the latest after this time. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(60);

    /** Maximum number of characters that are remembered, of all values. */
    private static final long REMEMBERED_CHARS_MAX = 4 << 20;
    /** What an entry takes besides its value, in characters. */
    private static final int ENTRY_CHARS = 200;

    private final Map<StoreKind, ExternalSource> sources;
    private final BoundedCache<Place, String> values =
            new BoundedCache<>(REMEMBERED_CHARS_MAX, REMEMBERED_FOR, value -> value.length() + ENTRY_CHARS);

    private record Place(StoreKind kind, Workspace workspace, String path) {}

    public ExternalValues(Map<StoreKind, ExternalSource> sources) {
        this.sources = Map.copyOf(sources);
    }

    /** Whether the server is set up for values of this kind. */
    public boolean has(StoreKind kind) {
        return sources.containsKey(kind);
    }

    /** The value; empty if there is none. */
    public Optional<String> find(StoreKind kind, Workspace workspace, String path) {
        ExternalSource source = sources.get(kind);
        return source == null
                ? Optional.empty()
                : values.find(new Place(kind, workspace, path), _ -> source.find(workspace, path));
    }

    /** Forgets a value, because somebody says that there is a new one. */
    public void forget(StoreKind kind, Workspace workspace, String path) {
        values.remove(new Place(kind, workspace, path));
    }
}
