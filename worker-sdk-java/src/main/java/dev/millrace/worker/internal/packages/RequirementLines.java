package dev.millrace.worker.internal.packages;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads requirements in the lines of a {@code requirements.txt}, of a comment or of a lock. */
final class RequirementLines {
    private static final Pattern CONTINUED = Pattern.compile("\\\\\\r?\\n");
    private static final Pattern COMMENT = Pattern.compile("(?:^|\\s)#.*");
    private static final Pattern HASH = Pattern.compile("\\s--hash[= ]\\s*([a-z0-9]+:[0-9a-f]{32,128})(?=\\s|$)");
    private static final Pattern INDEX =
            Pattern.compile("(?<option>-i|--index-url|--extra-index-url)(?:\\s*=\\s*|\\s+)(?<address>\\S+)");

    private static final Map<String, String> OPTIONS_OF_UV =
            Map.of("-i", "--default-index", "--index-url", "--default-index", "--extra-index-url", "--index");

    private final RequirementRule rule;

    RequirementLines(RequirementRule rule) {
        this.rule = rule;
    }

    /**
     * Reads the text of a file.
     *
     * @param where it stands, for errors
     * @throws PackageException if a line is no requirement, or names what this worker does not install
     */
    Requirements read(String text, String where) throws PackageException {
        return of(CONTINUED.matcher(text).replaceAll(" ").lines().toList(), where);
    }

    /** Checks lines, each of which has a requirement or an option. */
    Requirements of(Collection<String> lines, String where) throws PackageException {
        List<String> kept = new ArrayList<>();
        List<String> options = new ArrayList<>();
        boolean hasAddresses = false;
        for (String line : lines) {
            String entry = COMMENT.matcher(line).replaceFirst("").strip();
            if (entry.startsWith("-")) {
                options.addAll(index(entry, where));
            } else if (!entry.isEmpty()) {
                check(entry, where);
                hasAddresses |= RequirementRule.hasAddress(entry);
                kept.add(entry);
            }
        }
        return new Requirements("requirements.txt", String.join("\n", kept) + "\n", options, hasAddresses);
    }

    private List<String> index(String entry, String where) throws PackageException {
        Matcher index = INDEX.matcher(entry);
        if (!index.matches()) {
            throw new PackageException(
                    "This worker does not obey \"" + entry + "\" of " + where
                            + ": the only options that it knows there are --index-url and --extra-index-url.",
                    false);
        }
        rule.checkIndex(index.group("address"), where);
        return List.of(OPTIONS_OF_UV.getOrDefault(index.group("option"), "--index"), index.group("address"));
    }

    /** Checks a requirement with its hashes. */
    private void check(String entry, String where) throws PackageException {
        String plain = HASH.matcher(entry).replaceAll("").strip();
        if (plain.contains(" -") || plain.contains("\t-")) {
            throw new PackageException(
                    "This worker does not obey the options of \"" + plain + "\" in " + where
                            + ": behind a requirement, it knows only --hash.",
                    false);
        }
        rule.check(plain, where);
    }

    /**
     * A package of a lock in one line, with its hashes.
     *
     * @throws PackageException if the lock would install something else than what an index or a public address has
     */
    String locked(LockedPackage one) throws PackageException {
        String where = "the lock of the script's packages";
        String line = CONTINUED.matcher(one.requirement()).replaceAll(" ").strip();
        if (line.contains("\n") || !HASH.matcher(line).find()) {
            throw new PackageException(
                    "This worker does not install " + one.name() + " " + one.version() + ", as " + where
                            + " has no hash of it, or further lines. Change the script, for example in a comment, so that"
                            + " versions are chosen again.",
                    false);
        }
        check(line, where);
        return line;
    }
}
