package dev.millrace.worker.internal.permission;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Permissions with what each is limited to; without a limit, it is for everything.
 *
 * @param values by kind; an empty set means everything of the kind, a kind that is missing nothing
 */
public record Permissions(Map<Permission, Set<String>> values) {
    /** None. */
    public static final Permissions NONE = new Permissions(Map.of());

    /** What workers grant unless they are told otherwise: what cannot leave the folders of a script. */
    public static final Permissions DEFAULT =
            new Permissions(Map.of(Permission.NET, Set.of(), Permission.ENV, Set.of(), Permission.SYS, Set.of()));

    /** What authors may write, for messages. */
    public static final String EXAMPLES =
            "allow-net=HOST, allow-env=NAME, allow-sys=KIND, allow-read=/PATH, allow-write=/PATH, allow-run=PROGRAM or"
                    + " allow-ffi=/PATH, several values separated by commas";

    /** Values of one kind. */
    private static final int VALUES_MAX = 100;

    public Permissions {
        Map<Permission, Set<String>> copy = new EnumMap<>(Permission.class);
        values.forEach((kind, limits) -> copy.put(kind, Set.copyOf(limits)));
        values = Map.copyOf(copy);
    }

    /**
     * Reads a list as a setting has it, with spaces between its items: {@code allow-net allow-read=/data,/srv}.
     *
     * @throws IllegalArgumentException if it cannot be understood; the message is the item that cannot
     */
    public static Permissions parse(String text) {
        Permissions read = NONE;
        for (String item : text.strip().split("\\s+", -1)) {
            if (!item.isEmpty()) {
                int equals = item.indexOf('=');
                String name = equals < 0 ? item : item.substring(0, equals);
                Permission kind = Permission.of(name).orElseThrow(() -> new IllegalArgumentException(item));
                read = read.with(kind, equals < 0 ? null : item.substring(equals + 1));
            }
        }
        return read;
    }

    /**
     * These permissions and one more.
     *
     * @param limits values separated by commas; null for everything of the kind
     * @throws IllegalArgumentException if a value cannot be understood; the message is what cannot
     */
    public Permissions with(Permission kind, @Nullable String limits) {
        Set<String> merged = new TreeSet<>(values.getOrDefault(kind, Set.of()));
        boolean isEverything = limits == null || (values.containsKey(kind) && merged.isEmpty());
        if (limits != null) {
            for (String value : limits.split(",", -1)) {
                merged.add(kind.normal(value));
            }
        }
        if (merged.size() > VALUES_MAX) {
            throw new IllegalArgumentException(kind.item() + " with more than " + VALUES_MAX + " values");
        }
        Map<Permission, Set<String>> more = new EnumMap<>(Permission.class);
        more.putAll(values);
        more.put(kind, isEverything ? Set.of() : merged);
        return new Permissions(more);
    }

    /** Resolves links, so that no link leads out of a folder that a worker grants. */
    @FunctionalInterface
    public interface RealPaths {
        /** The path without links, as far as it exists. */
        Path of(Path path) throws IOException;
    }

    /**
     * What a script gets that asks for these permissions: what it asks for, and what it has without asking.
     *
     * @param granted what the worker grants
     * @throws IllegalArgumentException if it asks for more; the message is the item that is too much
     * @throws IOException if a link cannot be resolved
     */
    public Permissions within(Permissions granted, RealPaths paths) throws IOException {
        Map<Permission, Set<String>> got = new EnumMap<>(Permission.class);
        for (Permission kind : Permission.values()) {
            Set<String> bound = granted.values.get(kind);
            Set<String> asked = values.get(kind);
            if (asked == null) {
                if (bound != null && kind.isUsual()) {
                    got.put(kind, bound);
                }
            } else if (bound == null || (asked.isEmpty() && !bound.isEmpty())) {
                throw new IllegalArgumentException(new Permissions(Map.of(kind, asked)).toString());
            } else {
                got.put(kind, limited(kind, asked, bound, paths));
            }
        }
        return new Permissions(got);
    }

    private static Set<String> limited(Permission kind, Set<String> asked, Set<String> bound, RealPaths paths)
            throws IOException {
        Set<String> limited = new TreeSet<>();
        for (String value : asked) {
            String exact = kind.isPath() ? paths.of(Path.of(value)).toString() : value;
            if (!bound.isEmpty() && !isWithin(kind, exact, bound, paths)) {
                throw new IllegalArgumentException(kind.item() + "=" + value);
            }
            limited.add(exact);
        }
        return limited;
    }

    private static boolean isWithin(Permission kind, String value, Set<String> bound, RealPaths paths)
            throws IOException {
        for (String one : bound) {
            boolean isPart = kind.isPath()
                    ? Path.of(value).startsWith(paths.of(Path.of(one)))
                    : one.equals(value) || (kind == Permission.NET && isPortOf(value, one));
            if (isPart) {
                return true;
            }
        }
        return false;
    }

    /** Whether a value is a host with a port, and the other the same host with all its ports. */
    private static boolean isPortOf(String value, String host) {
        return value.matches(".*:[0-9]{1,5}")
                && value.substring(0, value.lastIndexOf(':')).equals(host);
    }

    /** The paths of a kind, for a sandbox. */
    public List<Path> paths(Permission kind) {
        List<Path> paths = new ArrayList<>();
        values.getOrDefault(kind, Set.of()).stream().sorted().forEach(value -> paths.add(Path.of(value)));
        return paths;
    }

    /** As in annotations and settings: {@code allow-net allow-read=/data}. */
    @Override
    public String toString() {
        StringJoiner items = new StringJoiner(" ");
        for (Permission kind : Permission.values()) {
            Set<String> limits = values.get(kind);
            if (limits != null) {
                items.add(limits.isEmpty() ? kind.item() : kind.item() + "=" + String.join(",", new TreeSet<>(limits)));
            }
        }
        return items.toString();
    }
}
