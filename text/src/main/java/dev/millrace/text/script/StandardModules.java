package dev.millrace.text.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names that an import never looks up among the files of a script: the modules of Python's standard library, which come
 * first when a script runs, and Millrace's own.
 */
final class StandardModules {
    /** What the worker brings: Millrace's own module, and its stand-in for that of Windmill. */
    private static final Set<String> OWN = Set.of("millrace", "wmill");

    private static final Set<String> NAMES = read();

    private StandardModules() {}

    static boolean contains(String name) {
        return OWN.contains(name) || NAMES.contains(name);
    }

    private static Set<String> read() {
        try (InputStream in = Objects.requireNonNull(
                StandardModules.class.getResourceAsStream("python-standard-modules.txt"), "list of modules")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
