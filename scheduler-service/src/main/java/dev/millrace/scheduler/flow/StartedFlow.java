package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.NumberedPath;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.graph.ListWalk;
import dev.millrace.scheduler.queue.core.Folder;
import java.util.LinkedHashSet;
import java.util.Set;

/** What a definition tells about a flow that it starts as a run of its own. */
sealed interface StartedFlow {
    /** The flow at a path, whatever its version. */
    record AtPath(String path) implements StartedFlow {
        public AtPath {
            requireNonNull(path, "path");
        }
    }

    /** A flow whose path is computed, except for its folder. */
    record InFolder(String folder) implements StartedFlow {
        public InFolder {
            requireNonNull(folder, "folder");
        }
    }

    /** A flow whose path is computed. */
    record Anywhere() implements StartedFlow {}

    /** All that a flow and the flows written inside it may start: by steps, and after a failure. */
    static Set<StartedFlow> of(FlowDefinition flow) {
        Set<StartedFlow> started = new LinkedHashSet<>();
        flow.options().failureFlow().map(FailureFlow::path).map(StartedFlow::at).ifPresent(started::add);
        ListWalk.through(flow, (list, _) -> {
            for (Step step : list.steps()) {
                if (step.action() instanceof StepAction.StartRun start) {
                    started.add(at(start.flow()));
                }
                if (step.action() instanceof StepAction.ChildRun child) {
                    started.add(at(child.flow()));
                }
            }
        });
        return started;
    }

    private static StartedFlow at(Template path) {
        if (path instanceof Template.Constant(JsonValue value) && value.kind() == JsonValue.Kind.STRING) {
            return new AtPath(NumberedPath.read(value.string()).path());
        }
        if (path instanceof Template.Text text
                && text.parts().getFirst() instanceof Template.Part.Literal(String begin)) {
            String folder = Folder.of(begin);
            return folder.equals(Folder.NONE) ? new Anywhere() : new InFolder(folder);
        }
        return new Anywhere();
    }
}
