package dev.millrace.scheduler.run.service;

import dev.millrace.proto.run.v1.ListIterationsRequest;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.run.step.IterationQuery;
import dev.millrace.scheduler.run.step.StepProtos;
import dev.millrace.scheduler.run.step.StepState;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads which iterations a request asks for. */
final class IterationReader {
    private IterationReader() {}

    static IterationQuery read(ListIterationsRequest request) {
        Violations violations = new Violations();
        violations.require(!request.getLoop().isEmpty(), "loop", "is empty (expected: the key of a loop)");
        violations.require(
                request.getLoop().indexOf('\0') < 0, "loop", "contains a NUL character (expected: the key of a loop)");
        violations.require(
                request.getFromNumber() >= 0, "from_number", request.getFromNumber() + " (expected: 0 or more)");
        violations.throwIfAny();
        Set<StepState> states =
                request.getStatesList().stream().map(StepProtos::state).collect(Collectors.toSet());
        return new IterationQuery(request.getLoop(), states, request.getFromNumber());
    }
}
