package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.ChildRunWork;
import dev.millrace.scheduler.flow.core.graph.ComputeWork;
import dev.millrace.scheduler.flow.core.graph.ForEachWork;
import dev.millrace.scheduler.flow.core.graph.HttpPollWork;
import dev.millrace.scheduler.flow.core.graph.ParallelWork;
import dev.millrace.scheduler.flow.core.graph.PublishWork;
import dev.millrace.scheduler.flow.core.graph.RepeatedWork;
import dev.millrace.scheduler.flow.core.graph.SetVariablesWork;
import dev.millrace.scheduler.flow.core.graph.StartRunWork;
import dev.millrace.scheduler.flow.core.graph.SubFlowWork;
import dev.millrace.scheduler.flow.core.graph.SwitchWork;
import dev.millrace.scheduler.flow.core.graph.TaskWork;
import dev.millrace.scheduler.flow.core.graph.TerminateWork;
import dev.millrace.scheduler.flow.core.graph.WaitWork;
import dev.millrace.scheduler.flow.core.graph.WhileWork;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;

/** Begins steps, with one line for each kind of work. */
final class StepDeciders {
    private StepDeciders() {}

    /**
     * Begins a step whose policy leaves nothing to do first.
     *
     * @param bindings what the expressions of the step can read
     */
    static void begin(Place place, Bindings bindings, Transition transition) {
        switch (place.node().work()) {
            case TaskWork task -> TaskDecider.begin(task, place, bindings, transition);
            case WaitWork wait -> WaitDecider.begin(wait, place, bindings, transition);
            case HttpPollWork poll -> HttpPollDecider.begin(poll, place, bindings, transition);
            case StartRunWork start -> StartRunDecider.begin(start, place, bindings, transition);
            case ChildRunWork child -> ChildRunDecider.begin(child, place, bindings, transition);
            case ForEachWork loop -> ForEachDecider.begin(loop, place, bindings, transition);
            case WhileWork loop -> WhileDecider.begin(loop, place, transition);
            case ParallelWork _ -> ParallelDecider.begin(place, transition);
            case SwitchWork choice -> SwitchDecider.begin(choice, place, bindings, transition);
            case SubFlowWork sub -> SubFlowDecider.begin(sub, place, bindings, transition);
            case ComputeWork compute -> ComputeDecider.begin(compute, place, transition);
            case PublishWork publish -> PublishDecider.begin(publish, place, bindings, transition);
            case SetVariablesWork set -> SetVariablesDecider.begin(set, place, bindings, transition);
            case TerminateWork end -> TerminateDecider.begin(end, place, bindings, transition);
        }
    }

    /** Whether a step goes on whose job has ended, or ends in another way than its job; what follows is decided then. */
    static boolean goesOn(Place place, Outcome outcome, Transition transition) {
        return place.node().work() instanceof RepeatedWork work
                && outcome instanceof Outcome.Succeeded(Json result)
                && switch (work) {
                    case HttpPollWork poll -> HttpPollDecider.goesOn(poll, place, JsonValue.of(result), transition);
                };
    }
}
