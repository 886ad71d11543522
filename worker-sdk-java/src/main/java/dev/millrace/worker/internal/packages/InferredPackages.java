package dev.millrace.worker.internal.packages;

import dev.millrace.text.script.WindmillHeader;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The packages that imports need.
 *
 * @param names of packages, and requirements of versions
 * @param absent why a module gets no package, by the first part of its name
 */
record InferredPackages(Set<String> names, Map<String, String> absent) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*+");
    private static final Pattern SEPARATORS = Pattern.compile("[-_.]+");

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

    /**
     * The same packages, with what comments in the form of Windmill say. A requirement that a comment has takes the place of the
     * package that its import would need.
     */
    InferredPackages with(Collection<WindmillHeader> headers) {
        var requirements = new TreeSet<String>();
        var overriding = new TreeMap<String, String>();
        var replaced = new TreeSet<String>();
        var reasons = new TreeMap<>(absent);
        for (WindmillHeader header : headers) {
            requirements.addAll(header.requirements().orElse(List.of()));
            requirements.addAll(header.extra());
            for (WindmillHeader.Pin pin : header.pins()) {
                reasons.remove(PackageNames.head(pin.module()));
                if (PackageNames.of(pin.module()) instanceof PackageGuess.Known known) {
                    replaced.add(normalized(known.name()));
                }
                if (pin.overrides()) {
                    overriding.put(normalized(pin.requirement()), pin.requirement());
                } else {
                    requirements.add(pin.requirement());
                }
            }
        }
        requirements.removeIf(requirement -> overriding.containsKey(normalized(requirement)));
        requirements.addAll(overriding.values());
        requirements.forEach(requirement -> replaced.add(normalized(requirement)));
        names.stream().filter(name -> !replaced.contains(normalized(name))).forEach(requirements::add);
        return new InferredPackages(requirements, reasons);
    }

    /** The package that a requirement asks for, such as {@code psycopg} of {@code psycopg[binary]>=3}. */
    static String nameOf(String requirement) {
        Matcher name = NAME.matcher(requirement);
        return name.lookingAt() ? name.group() : requirement;
    }

    private static String normalized(String requirement) {
        return SEPARATORS.matcher(nameOf(requirement)).replaceAll("-").toLowerCase(Locale.ROOT);
    }
}
