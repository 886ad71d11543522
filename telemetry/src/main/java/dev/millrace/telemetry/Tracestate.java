package dev.millrace.telemetry;

import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What tracing systems pass along with a trace, as in W3C's {@code tracestate} header: {@code one=1,two=2}. */
public final class Tracestate {
    /** Name of the header. */
    public static final String HEADER = "tracestate";
    /** Largest number of members; a text with more is not valid. */
    public static final int MEMBERS_MAX = 32;
    /** Largest number of characters that are passed on; members beyond are left out. */
    public static final int LENGTH_MAX = 512;

    /** Largest number of characters that are looked at: more than servers take as a header. */
    private static final int READ_LENGTH_MAX = 16_384;
    /** Members that are longer than this are left out first. */
    private static final int SMALL_MEMBER_LENGTH = 128;

    private static final Pattern MEMBER =
            Pattern.compile("([a-z0-9][a-z0-9_\\-*/@]{0,255})=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}"
                    + "[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]");
    private static final Pattern BLANKS_AROUND = Pattern.compile("^[ \\t]+|[ \\t]+$");

    private Tracestate() {}

    /**
     * Returns what of a caller's text is passed on: its members without the blanks between them.
     *
     * @return empty if the text is empty or not valid, since the trace goes on without it then
     */
    public static String read(String text) {
        if (text.isEmpty() || text.length() > READ_LENGTH_MAX) {
            return "";
        }
        List<String> members = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (String part : text.split(",", -1)) {
            String member = BLANKS_AROUND.matcher(part).replaceAll("");
            if (member.isEmpty()) {
                continue;
            }
            var match = MEMBER.matcher(member);
            if (!match.matches() || !keys.add(match.group(1)) || members.size() == MEMBERS_MAX) {
                return "";
            }
            members.add(member);
        }
        shorten(members);
        return String.join(",", members);
    }

    /** Leaves out whole members, the large ones first, those at the end before others. */
    private static void shorten(List<String> members) {
        for (int i = members.size() - 1; i >= 0 && length(members) > LENGTH_MAX; i--) {
            if (members.get(i).length() > SMALL_MEMBER_LENGTH) {
                members.remove(i);
            }
        }
        while (length(members) > LENGTH_MAX) {
            members.removeLast();
        }
    }

    private static int length(List<String> members) {
        return members.stream().mapToInt(String::length).sum() + Math.max(0, members.size() - 1);
    }

    /** The members of a text that {@link #read} returned, as OpenTelemetry takes them. */
    static TraceState members(String read) {
        if (read.isEmpty()) {
            return TraceState.getDefault();
        }
        // The builder puts each member before the former ones.
        TraceStateBuilder builder = TraceState.builder();
        for (String member : List.of(read.split(",")).reversed()) {
            int equals = member.indexOf('=');
            builder.put(member.substring(0, equals), member.substring(equals + 1));
        }
        return builder.build();
    }
}
