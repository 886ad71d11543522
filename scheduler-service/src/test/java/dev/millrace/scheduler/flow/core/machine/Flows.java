package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Flows for tests. */
final class Flows {
    static final RunId RUN = new RunId(new UUID(0x0190_0000_0000_7000L, 0x8000_0000_0000_0001L));
    static final Defaults DEFAULTS = new Defaults(Duration.ofMinutes(5));

    private Flows() {}

    /** Compiles a definition in the dialect millrace, given without its first line. */
    static FlowModel model(String definition) {
        Compilation compilation =
                FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), "millrace: v1\n" + definition));
        assertThat(compilation).isInstanceOf(Compilation.Compiled.class);
        Compilation.Compiled compiled = (Compilation.Compiled) compilation;
        return model(compiled.flow(), compiled.scriptPaths(), Limits.DEFAULT);
    }

    static FlowModel model(FlowDefinition flow, List<String> scripts, Limits limits) {
        return FlowModel.resolve(flow, scripts(scripts), SubFlows.NONE, DEFAULTS, limits);
    }

    static Map<String, JobTarget.Script> scripts(List<String> paths) {
        return paths.stream()
                .collect(Collectors.toMap(
                        path -> path, path -> new JobTarget.Script("hash of " + path, Language.PYTHON)));
    }

    /** Returns a version of a sub-flow that accepts the inputs it declares. */
    static SubFlows.Version subFlow(FlowDefinition flow, Map<String, JobTarget.Script> scripts) {
        return new SubFlows.Version(flow, scripts, input -> RunInput.check(flow, input));
    }

    static FlowState fresh(FlowModel model, String input) {
        return FlowState.fresh(model, RUN, new Json(input));
    }
}
