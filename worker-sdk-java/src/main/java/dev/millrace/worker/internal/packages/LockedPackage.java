package dev.millrace.worker.internal.packages;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One package of a lock.
 *
 * @param name as the package index spells it
 * @param version chosen version; the address of packages that come from one
 * @param requirement its lines in the lock: name, version, conditions and hashes
 */
record LockedPackage(String name, String version, String requirement) {
    private static final Pattern HEAD =
            Pattern.compile("^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\\[[^]]*])?\\s*(?:==|@)\\s*(\\S+)");
    private static final int DIGEST_CHARS = 16;

    /**
     * Reads a lock in the form of a {@code requirements.txt}, in which lines that begin with white space go on.
     *
     * @throws IllegalArgumentException if a line is no requirement with a version
     */
    static List<LockedPackage> parse(String lock) {
        var packages = new ArrayList<LockedPackage>();
        var requirement = new StringBuilder();
        for (String line : lock.lines().toList()) {
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            if (!Character.isWhitespace(line.charAt(0)) && !requirement.isEmpty()) {
                packages.add(of(requirement.toString()));
                requirement.setLength(0);
            }
            requirement.append(line).append('\n');
        }
        if (!requirement.isEmpty()) {
            packages.add(of(requirement.toString()));
        }
        return packages;
    }

    private static LockedPackage of(String requirement) {
        Matcher head = HEAD.matcher(requirement);
        if (!head.find()) {
            throw new IllegalArgumentException(
                    "\"" + requirement.lines().findFirst().orElse("")
                            + "\" is no package with a version, such as requests==2.32.0");
        }
        return new LockedPackage(head.group(1), head.group(2), requirement);
    }

    /** Name of its folder in the cache: packages that differ in anything have different ones. */
    String folderName() {
        String readable = (name + "-" + version).replaceAll("[^A-Za-z0-9._-]", "_");
        return readable.substring(0, Math.min(readable.length(), 100)) + "-" + digest(requirement);
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGEST_CHARS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
