package dev.millrace.scheduler.flow.dialect.millrace;

import java.util.List;
import java.util.Map;

/** Result of writing a flow in the dialect {@code millrace}. */
public sealed interface Printing {
    /**
     * A definition in YAML.
     *
     * @param scripts contents of the scripts that were inline in the original definition, by their new path
     */
    record Printed(String definition, Map<String, String> scripts) implements Printing {
        public Printed {
            scripts = Map.copyOf(scripts);
        }
    }

    /** The reasons why the flow cannot be written, in full sentences. */
    record Unprintable(List<String> reasons) implements Printing {
        public Unprintable {
            reasons = List.copyOf(reasons);
        }
    }
}
