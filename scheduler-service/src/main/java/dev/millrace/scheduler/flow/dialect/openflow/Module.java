package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.dialect.Fields;
import java.util.List;
import java.util.Optional;

/**
 * A module with the steps that it became.
 *
 * @param id of the module; empty for the position before the first module of a list
 * @param steps the step of the module, followed by the waits that its {@code suspend} and, at the end of a list, its
 *     {@code sleep} add
 * @param next what expressions of the next module can read
 * @param fields keys of the module; its {@code sleep} delays the next module
 */
record Module(String id, List<Step> steps, Sight next, Optional<Fields> fields) {
    Module {
        steps = List.copyOf(steps);
    }

    /** The position before the first module of a list. */
    static Module none(Sight first) {
        return new Module("", List.of(), first, Optional.empty());
    }

    /** The needs of the next step. */
    List<String> asNeed() {
        return steps.isEmpty() ? List.of() : List.of(steps.getLast().id());
    }
}
