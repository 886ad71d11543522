package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script, or a flow, for which a worker keeps processes ready.
 *
 * @param workspace name of the workspace
 * @param isFlow whether the path is that of a flow, whose scripts then have processes each
 * @param path path under which it is deployed
 * @param processes processes for each script
 */
public record DedicatedTarget(String workspace, boolean isFlow, String path, int processes) {
    /** Largest number of targets of a worker. */
    public static final int TARGETS_MAX = 100;

    private static final String EXPECTED = "[WORKSPACE:]PATH[=COUNT] or [WORKSPACE:]flow:PATH[=COUNT]";
    private static final Pattern TEXT =
            Pattern.compile("(?:([a-z][a-z0-9-]*):)??(flow:)?([\\w./-]{1,256})(?:=([1-9][0-9]{0,3}))?");

    public DedicatedTarget {
        requireNonNull(workspace, "workspace");
        requireNonNull(path, "path");
        if (processes < 1) {
            throw new IllegalArgumentException("processes: " + processes + " (expected: >= 1)");
        }
    }

    /**
     * Reads {@code shop:flow:orders=2}: the workspace is {@code default} and the number of processes 1 unless given.
     *
     * @throws IllegalArgumentException if the text cannot be understood
     */
    public static DedicatedTarget parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " (expected: " + EXPECTED + ")");
        }
        return new DedicatedTarget(
                matcher.group(1) == null ? "default" : matcher.group(1),
                matcher.group(2) != null,
                matcher.group(3),
                matcher.group(4) == null ? 1 : Integer.parseInt(matcher.group(4)));
    }

    @Override
    public String toString() {
        return workspace + ":" + (isFlow ? "flow:" : "") + path + (processes == 1 ? "" : "=" + processes);
    }
}
