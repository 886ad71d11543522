package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which package has a module. Most are called like the first part of it. A table has the others, and the packages that share a
 * namespace, of which the first part alone would name a stranger's package.
 */
final class PackageNames {
    /** Packages by modules. */
    private static final TreeMap<String, String> BY_MODULE = new TreeMap<>(read("package-names.properties"));

    private static final Map<String, String> REFUSALS = read("module-refusals.properties");

    /** The version in a name such as {@code vision_v1}. */
    private static final Pattern VERSION = Pattern.compile("_v[0-9]\\w*+(?=\\.|$)");

    private PackageNames() {}

    /** The modules of the table, with their packages. */
    static Map<String, String> table() {
        return Map.copyOf(BY_MODULE);
    }

    /** The modules for which no package is taken, with the kinds of their reasons. */
    static Map<String, String> refusals() {
        return REFUSALS;
    }

    /**
     * The package of a module.
     *
     * @param module with all parts that an import names, such as {@code google.auth.transport}
     */
    static PackageGuess of(String module) {
        String known = VERSION.matcher(module).replaceAll("");
        for (String part = known; !part.isEmpty(); part = parent(part)) {
            String name = BY_MODULE.get(part);
            if (name != null) {
                return new PackageGuess.Known(name);
            }
        }
        String head = head(module);
        String refusal = REFUSALS.get(head);
        if (refusal != null) {
            return new PackageGuess.Refused(ModuleRefusal.sentence(head, refusal));
        }
        Map.Entry<String, String> below = BY_MODULE.higherEntry(head + ".");
        boolean isNamespace = below != null && below.getKey().startsWith(head + ".");
        return isNamespace
                ? new PackageGuess.Refused(ModuleRefusal.ofNamespace(module, head, below.getKey(), below.getValue()))
                : new PackageGuess.Known(head);
    }

    /** The first part of a module. */
    static String head(String module) {
        int dot = module.indexOf('.');
        return dot < 0 ? module : module.substring(0, dot);
    }

    private static String parent(String module) {
        int dot = module.lastIndexOf('.');
        return dot < 0 ? "" : module.substring(0, dot);
    }

    private static Map<String, String> read(String file) {
        try (InputStream in = PackageNames.class.getResourceAsStream(file)) {
            Properties names = new Properties();
            names.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            return names.stringPropertyNames().stream()
                    .collect(Collectors.toUnmodifiableMap(name -> name, names::getProperty));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
