package dev.millrace.cli.context;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Launcher;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * All contexts of a person, by name.
 *
 * @param current name of the context that commands use if they name none; one of the names
 */
public record Contexts(Optional<String> current, SortedMap<String, Context> byName) {
    /** No contexts. */
    public static final Contexts NONE = new Contexts(Optional.empty(), new TreeMap<>());

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public Contexts {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
        byName.keySet().forEach(Contexts::requireName);
        if (current.isPresent() && !byName.containsKey(current.get())) {
            throw new IllegalArgumentException("current: " + current.get() + " (expected: one of " + byName.keySet());
        }
    }

    public Optional<Context> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The context with this name. Fails if there is none. */
    public Context require(String name) {
        return find(name)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        "There is no context '" + name + "'. "
                                + (byName.isEmpty()
                                        ? "Make one with: " + Launcher.NAME + " contexts set " + name + " --server URL"
                                        : "There are: " + String.join(", ", byName.keySet()) + ".")));
    }

    /** Adds or replaces a context. */
    public Contexts with(String name, Context context) {
        TreeMap<String, Context> more = new TreeMap<>(byName);
        more.put(requireName(name), context);
        return new Contexts(current, more);
    }

    public Contexts without(String name) {
        require(name);
        TreeMap<String, Context> fewer = new TreeMap<>(byName);
        fewer.remove(name);
        return new Contexts(current.filter(chosen -> !chosen.equals(name)), fewer);
    }

    /** Makes this context the current one. */
    public Contexts using(String name) {
        require(name);
        return new Contexts(Optional.of(name), byName);
    }

    /** Checks the name of a context. */
    public static String requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "'" + name + "' cannot be the name of a context (expected: 1 to 100 letters, digits, '.', '_' and"
                            + " '-', the first a letter or digit).");
        }
        return name;
    }
}
