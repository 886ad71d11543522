package dev.millrace.scheduler.flow.dialect.openflow;

import java.util.Locale;
import java.util.Optional;

/** Choice of a name for a flow whose definition has none. */
final class FlowNames {
    private static final int LENGTH_MAX = 100;
    private static final String NAMELESS = "openflow";

    private FlowNames() {}

    /**
     * Returns the path under which Windmill stored the flow, otherwise its summary in lower case, otherwise a fixed
     * name.
     */
    static String of(Optional<String> path, Optional<String> summary) {
        return path.filter(text -> !text.isEmpty())
                .or(() -> summary.map(FlowNames::slug).filter(text -> !text.isEmpty()))
                .orElse(NAMELESS);
    }

    private static String slug(String summary) {
        String words =
                summary.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+", "");
        return words.substring(0, Math.min(LENGTH_MAX, words.length())).replaceAll("-+$", "");
    }
}
