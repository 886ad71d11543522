package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.StepKind;
import dev.millrace.scheduler.queue.core.JobKind;

/** The kinds of steps as the history has them. */
final class StepKinds {
    private StepKinds() {}

    static JobKind of(StepKind kind) {
        return switch (kind) {
            case SCRIPT -> JobKind.SCRIPT;
            case HANDLER -> JobKind.HANDLER;
            case FOR_EACH -> JobKind.FOR_EACH;
            case SWITCH -> JobKind.SWITCH;
            case WHILE -> JobKind.WHILE;
            case PARALLEL -> JobKind.PARALLEL;
            case WAIT -> JobKind.WAIT;
            case COMPUTE -> JobKind.COMPUTE;
            case SET_VARIABLES -> JobKind.SET_VARIABLES;
            case TERMINATE -> JobKind.TERMINATE;
            case SUB_FLOW -> JobKind.SUB_FLOW;
            case START_RUN -> JobKind.START_RUN;
            case CHILD_RUN -> JobKind.CHILD_RUN;
            case RESET -> JobKind.RESET;
        };
    }

    static StepKind of(JobKind kind) {
        return switch (kind) {
            case SCRIPT -> StepKind.SCRIPT;
            case HANDLER -> StepKind.HANDLER;
            case FLOW -> throw new IllegalArgumentException("a flow is no step");
            case FOR_EACH -> StepKind.FOR_EACH;
            case SWITCH -> StepKind.SWITCH;
            case WHILE -> StepKind.WHILE;
            case PARALLEL -> StepKind.PARALLEL;
            case WAIT -> StepKind.WAIT;
            case COMPUTE -> StepKind.COMPUTE;
            case SET_VARIABLES -> StepKind.SET_VARIABLES;
            case TERMINATE -> StepKind.TERMINATE;
            case SUB_FLOW -> StepKind.SUB_FLOW;
            case START_RUN -> StepKind.START_RUN;
            case CHILD_RUN -> StepKind.CHILD_RUN;
            case RESET -> StepKind.RESET;
        };
    }
}
