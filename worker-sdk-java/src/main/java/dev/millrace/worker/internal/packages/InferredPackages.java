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
import java.util.stream.Collectors;

/**
 * The packages that imports need.
 *
 * @param names of packages, and requirements of versions
 * @param absent why a module gets no package, by the first part of its name
 */
record InferredPackages(Set<String> names, Map<String, String> absent) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*+");
    private static final Pattern UNKNOWN =
            Pattern.compile("(" + NAME + ") was not found in the (?:package registry|provided package locations)");
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

    /** The packages that are not in an index, by what uv says; empty if something else is wrong. */
    Set<String> notFound(PackageException failure) {
        Set<String> found = UNKNOWN.matcher(String.valueOf(failure.getMessage()).replaceAll("[^!-~]+", " "))
                .results()
                .map(result -> normalized(result.group(1)))
                .collect(Collectors.toSet());
        return names.stream().filter(name -> found.contains(normalized(name))).collect(Collectors.toSet());
    }

    /** The same without some packages. */
    InferredPackages except(Set<String> unknown) {
        return new InferredPackages(
                names.stream().filter(name -> !unknown.contains(name)).collect(Collectors.toSet()), absent);
    }

    /**
     * Why modules have no package, once versions are chosen.
     *
     * @param modules with all parts that the imports name
     * @param chosen packages with versions
     */
    static Map<String, String> absent(Collection<String> modules, Collection<LockedPackage> chosen) {
        Set<String> names = chosen.stream().map(one -> normalized(one.name())).collect(Collectors.toSet());
        var absent = new TreeMap<>(of(modules).absent());
        for (String module : new TreeSet<>(modules)) {
            if (PackageNames.of(module) instanceof PackageGuess.Known known
                    && !names.contains(normalized(known.name()))) {
                absent.putIfAbsent(
                        PackageNames.head(module),
                        "No package was installed for the import of " + module + ": the index has none that is called "
                                + nameOf(known.name())
                                + ", or the script goes on without it. List the one that has the module in the script (PEP 723), or correct the import.");
            }
        }
        return absent;
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
