package dev.millrace.scheduler.packages;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Versions of packages that were chosen for one version of a script and one interpreter.
 *
 * @param interpreter with the part of its version on which packages depend, such as {@code python3.12}, {@code deno2} or
 *     {@code bun1}
 * @param content packages with versions and hashes, in the form of a {@code requirements.txt}, of a {@code deno.lock} for
 *     Deno, or of a {@code bun.lock} for Bun
 * @param inferred packages that were inferred from imports; empty if the script declares what it needs
 */
public record PackageLock(String interpreter, String content, List<String> inferred, Instant createdAt) {
    /** A line with a package and its version, or its address. */
    private static final Pattern HEAD = Pattern.compile(
            "^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\\[[^]]*])?\\s*(?:==|@)\\s*([^\\s;\\\\]+)(?:\\s*;\\s*([^\\\\]+))?");

    public PackageLock {
        requireNonNull(interpreter, "interpreter");
        requireNonNull(content, "content");
        requireNonNull(createdAt, "createdAt");
        inferred = List.copyOf(inferred);
    }

    /**
     * One chosen package.
     *
     * @param condition on the machine, such as {@code sys_platform == 'win32'}; empty if all need it
     */
    public record Chosen(String name, String version, String condition) {}

    /** The chosen packages in the order of the lock. Lines that are none, such as those with hashes, are left out. */
    public List<Chosen> packages() {
        if (interpreter.startsWith("deno")) {
            return DenoLock.packages(content);
        }
        if (interpreter.startsWith("bun")) {
            return BunLock.packages(content);
        }
        return content.lines().flatMap(line -> chosen(line).stream()).toList();
    }

    private static Chosen chosen(Matcher head) {
        String condition = head.group(3) == null ? "" : head.group(3).strip();
        return new Chosen(head.group(1), head.group(2), condition);
    }

    private static Optional<Chosen> chosen(String line) {
        Matcher head = HEAD.matcher(line);
        return head.find() ? Optional.of(chosen(head)) : Optional.empty();
    }
}
