package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.dialect.Fields;
import java.util.List;
import java.util.Optional;

/**
 * A module as read.
 *
 * @param id its id; empty before the first one of a list
 * @param steps what it became: a step, and the wait for people that its {@code suspend} asks for
 * @param next what the module after it sees
 * @param fields its keys; its {@code sleep} delays the module after it
 */
record Module(String id, List<Step> steps, Sight next, Optional<Fields> fields) {
    Module {
        steps = List.copyOf(steps);
    }

    /** What stands before the first module of a list. */
    static Module none(Sight first) {
        return new Module("", List.of(), first, Optional.empty());
    }

    /** What the step after it needs. */
    List<String> asNeed() {
        return steps.isEmpty() ? List.of() : List.of(steps.getLast().id());
    }
}
