package dev.millrace.scheduler.queue.core;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expands names in SQL to the codes of enums, so that only the enums know the numbers: {@code state =
 * {JobState.LEASED}} becomes {@code state = 2}.
 */
public final class NamedCodes {
    private static final Pattern NAME = Pattern.compile("\\{([A-Z]\\w*\\.[A-Z_]+)}");
    private static final Map<String, Short> CODES = codes();

    private NamedCodes() {}

    private static Map<String, Short> codes() {
        Map<String, Short> codes = new HashMap<>();
        for (JobState state : JobState.values()) {
            codes.put("JobState." + state, state.code());
        }
        for (JobKind kind : JobKind.values()) {
            codes.put("JobKind." + kind, kind.code());
        }
        for (EndStatus status : EndStatus.values()) {
            codes.put("EndStatus." + status, status.code());
        }
        for (ChildNoteKind kind : ChildNoteKind.values()) {
            codes.put("ChildNoteKind." + kind, kind.code());
        }
        return codes;
    }

    /**
     * Replaces the names of states, kinds and statuses with their codes.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public static String expand(String sql) {
        return expand(sql, Map.of());
    }

    /**
     * Replaces these names as well as those of {@link #expand(String)}.
     *
     * @param more further codes of a feature, by names such as {@code ItemState.WAITING}
     */
    public static String expand(String sql, Map<String, Short> more) {
        return NAME.matcher(sql).replaceAll(name -> {
            Short code = more.getOrDefault(name.group(1), CODES.get(name.group(1)));
            if (code == null) {
                throw new IllegalArgumentException("SQL names an unknown code: " + name.group());
            }
            return Matcher.quoteReplacement(code.toString());
        });
    }
}
