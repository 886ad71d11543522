package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Done;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Failing;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Leaving;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Pending;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of flows, written as plainly as possible, for tests only. After each event it walks the whole definition
 * again and remembers little more than the outcomes of jobs. It is slow, and shares no code with the machine except the
 * resolution of templates.
 */
final class ReferenceInterpreter {
    private final FlowDefinition flow;
    private final JsonValue input;
    private final ReferenceMemory memory = new ReferenceMemory();
    private final ReferenceLists lists;
    private @Nullable Failing handled;

    ReferenceInterpreter(FlowDefinition flow, String input, Map<String, FlowDefinition> subFlows) {
        this.flow = flow;
        this.input = JsonValue.of(input);
        this.lists = new ReferenceLists(memory, subFlows);
    }

    /**
     * The expected consequences of an event.
     *
     * @param failedStep the step that the run fails with; empty if its output fails
     * @param ambiguous whether the engine itself found several failures at once, so that any of them may count
     */
    record Expectation(
            Map<String, String> jobs, Optional<String> output, Optional<String> failedStep, boolean ambiguous) {}

    Expectation started() {
        return walk();
    }

    Expectation stepEnded(String key, Outcome outcome) {
        memory.live.remove(key);
        memory.outcomes.put(key, outcome);
        if (key.endsWith(ReferenceMemory.LIMIT)) {
            memory.timeOut(key.substring(0, key.length() - ReferenceMemory.LIMIT.length()));
        }
        return walk();
    }

    private Expectation walk() {
        Set<String> before = Set.copyOf(memory.begun);
        Set<String> stoppedBefore = Set.copyOf(memory.stopped);
        memory.limitedBefore.clear();
        memory.limitedBefore.addAll(memory.limited);
        ReferenceResult result;
        do {
            memory.again = false;
            memory.limited.retainAll(memory.limitedBefore);
            memory.passedOver = false;
            memory.beginning.clear();
            memory.early.clear();
            result = run();
            memory.again |= result instanceof Pending && !memory.again && memory.early.begin();
        } while (memory.again);
        memory.beginning.keySet().stream()
                .filter(key -> !key.endsWith(ReferenceMemory.LIMIT))
                .forEach(memory.live::add);
        memory.ambiguous |= memory.stopped.stream()
                .anyMatch(key -> !stoppedBefore.contains(key) && memory.isAmongOthers(key, before));
        return new Expectation(
                new LinkedHashMap<>(memory.beginning),
                result instanceof Done done ? Optional.of(done.value().toString()) : Optional.empty(),
                result instanceof Failing failing ? Optional.of(failing.key()) : Optional.empty(),
                memory.ambiguous);
    }

    private ReferenceResult run() {
        ReferenceEnv root = ReferenceEnv.ofFlow(memory, flow.steps(), "", input);
        ReferenceResult result = lists.walk(root, "");
        if (result instanceof Leaving leaving) {
            result = memory.end("L", "", new Done(leaving.value()));
        }
        if (!(result instanceof Failing failing)) {
            return result;
        }
        if (failing.direct() && failing.key().isEmpty()) {
            return failing;
        }
        ReferenceResult ended = handled == null ? memory.end("L", "", failing) : handled;
        if (!(ended instanceof Failing last) || flow.options().onFailure().isEmpty()) {
            return ended;
        }
        handled = last;
        ReferenceEnv handler =
                ReferenceEnv.ofFlow(memory, flow.options().onFailure().get(), "#failure", input);
        handler.see(root);
        ReferenceResult handling = lists.walk(handler, "#failure");
        boolean failsAgain = handling instanceof Failing;
        if (handling instanceof Failing || handling instanceof Leaving) {
            JsonValue left = handling instanceof Leaving leaving ? leaving.value() : JsonValue.NULL;
            handling = memory.end("L", "#failure", new Done(left));
        }
        boolean recovers = handling instanceof Done
                && !failsAgain
                && flow.options().recovers().filter(handler::isTrue).isPresent();
        return handling instanceof Done && !recovers ? last : handling;
    }
}
