package dev.millrace.worker.internal.packages;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The packages that imports need.
 *
 * @param names as requirements name them
 * @param absent why a module gets no package, by the first part of its name
 */
record InferredPackages(Set<String> names, Map<String, String> absent) {
    InferredPackages {
        names = Set.copyOf(names);
        absent = Map.copyOf(absent);
    }

    /** @param modules with all parts that the imports name */
    static InferredPackages of(Collection<String> modules) {
        var names = new TreeSet<String>();
        var absent = new TreeMap<String, String>();
        for (String module : new TreeSet<>(modules)) {
            PackageGuess guess = PackageNames.of(module);
            if (guess instanceof PackageGuess.Known known) {
                names.add(known.name());
            } else if (guess instanceof PackageGuess.Refused refused) {
                absent.putIfAbsent(PackageNames.head(module), refused.reason());
            }
        }
        return new InferredPackages(names, absent);
    }
}
