package dev.millrace.text.script;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What comments in the form of Windmill say about the packages of a file of Python.
 *
 * @param requirements all packages of the file, below {@code # requirements:}; empty if it has no such list
 * @param extra packages beside those that its imports need, below {@code # extra_requirements:}
 * @param pins versions of packages behind imports, as in {@code import x # pin: x==1}
 */
public record WindmillHeader(Optional<List<String>> requirements, List<String> extra, List<Pin> pins) {
    private static final Pattern REQUIREMENTS = Pattern.compile("# ?requirements:.*");
    private static final Pattern EXTRA = Pattern.compile("# ?extra_requirements:.*");

    /** A line of a list; the first other one ends the list. */
    private static final Pattern ITEM = Pattern.compile("#\\s?(\\S+)\\s*");

    private static final Pattern PIN = Pattern.compile("(?m)^[ \\t]*+(?:from[ \\t]++(?<from>[\\w.]++)[ \\t]++import\\b"
            + "(?:[ \\t]*+\\([^)]{0,1000}+\\)|[^\\n#(]*+)|import[ \\t]++(?<import>[\\w.]++)[^\\n#]*+)"
            + "[ \\t]*+#[ \\t]*+(?<kind>pin|repin):[ \\t]*+(?<requirement>\\S++)");

    public WindmillHeader {
        requirements = requirements.map(List::copyOf);
        extra = List.copyOf(extra);
        pins = List.copyOf(pins);
    }

    /**
     * A version behind an import.
     *
     * @param module that is imported, with all parts
     * @param overrides whether it counts in place of other pins of the package, and not beside them
     */
    public record Pin(String module, String requirement, boolean overrides) {
        public Pin {
            requireNonNull(module, "module");
            requireNonNull(requirement, "requirement");
        }
    }

    public static WindmillHeader of(String source) {
        Optional<List<String>> requirements = list(REQUIREMENTS, source);
        if (requirements.isPresent()) {
            return new WindmillHeader(requirements, List.of(), List.of());
        }
        return new WindmillHeader(Optional.empty(), list(EXTRA, source).orElse(List.of()), pins(source));
    }

    /** Whether the comments name any package. */
    public boolean namesPackages() {
        return !requirements.orElse(List.of()).isEmpty() || !extra.isEmpty() || !pins.isEmpty();
    }

    /** Whether a file lists all its packages, below {@code # requirements:}. */
    public static boolean listsPackages(String source) {
        return list(REQUIREMENTS, source).isPresent();
    }

    private static List<Pin> pins(String source) {
        List<Pin> pins = new ArrayList<>();
        Matcher matcher = PIN.matcher(source);
        while (matcher.find()) {
            String module = matcher.group("from") == null ? matcher.group("import") : matcher.group("from");
            pins.add(new Pin(
                    module, matcher.group("requirement"), matcher.group("kind").equals("repin")));
        }
        return pins;
    }

    private static Optional<List<String>> list(Pattern head, String source) {
        Iterator<String> lines = source.lines().iterator();
        while (lines.hasNext()) {
            if (head.matcher(lines.next()).matches()) {
                return Optional.of(items(lines));
            }
        }
        return Optional.empty();
    }

    private static List<String> items(Iterator<String> lines) {
        List<String> items = new ArrayList<>();
        while (lines.hasNext()) {
            Matcher item = ITEM.matcher(lines.next());
            if (!item.matches()) {
                break;
            }
            items.add(item.group(1));
        }
        return items;
    }
}
