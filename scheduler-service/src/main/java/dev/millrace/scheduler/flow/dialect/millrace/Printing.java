package dev.millrace.scheduler.flow.dialect.millrace;

import java.util.List;
import java.util.Map;

/** What became of a flow that was to be written in the dialect {@code millrace}. */
public sealed interface Printing {
    /**
     * The definition, in YAML.
     *
     * @param scripts scripts that stood in the original definition, by the path by which this one names them
     */
    record Printed(String definition, Map<String, String> scripts) implements Printing {
        public Printed {
            scripts = Map.copyOf(scripts);
        }
    }

    /** Why it cannot be written, in full sentences. */
    record Unprintable(List<String> reasons) implements Printing {
        public Unprintable {
            reasons = List.copyOf(reasons);
        }
    }
}
