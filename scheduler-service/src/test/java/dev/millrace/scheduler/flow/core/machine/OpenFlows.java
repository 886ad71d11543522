package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Language;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** OpenFlow definitions for tests. */
final class OpenFlows {
    private OpenFlows() {}

    static Compilation compile(String definition) {
        return FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), definition));
    }

    static Compilation.Compiled compiled(String definition) {
        Compilation compilation = compile(definition);
        assertThat(problems(compilation)).isEmpty();
        assertThat(compilation.dialect()).isEqualTo("openflow");
        return (Compilation.Compiled) compilation;
    }

    static List<FlowProblem> problems(Compilation compilation) {
        return switch (compilation) {
            case Compilation.Compiled _ -> List.of();
            case Compilation.Rejected rejected -> rejected.problems();
        };
    }

    /** Starts a run of a flow with these modules. */
    static RunOfFlow started(String definition, String input) {
        return started(definition, input, Map.of());
    }

    /** Starts a run of a flow with these modules and sub-flows. */
    static RunOfFlow started(String definition, String input, Map<String, String> inside) {
        Map<String, SubFlows.Version> versions = new HashMap<>();
        inside.forEach((path, inner) -> versions.put(
                path,
                Flows.subFlow(
                        compiled(inner).flow(), Flows.scripts(compiled(inner).scriptPaths()))));
        Compilation.Compiled compiled = compiled(definition);
        Map<String, JobTarget.Script> scripts = new HashMap<>();
        compiled.scriptPaths().forEach(path -> scripts.put(path, new JobTarget.Script("hash", Language.PYTHON)));
        compiled.inlineScripts()
                .forEach((path, script) -> scripts.put(path, new JobTarget.Script("hash", script.language())));
        RunInput checked = RunInput.check(compiled.flow(), new Json(input));
        assertThat(checked).isInstanceOf(RunInput.Accepted.class);
        RunOfFlow run = new RunOfFlow(
                FlowModel.resolve(
                        compiled.flow(), scripts, new SubFlows(versions, Set.of()), Flows.DEFAULTS, Limits.DEFAULT),
                ((RunInput.Accepted) checked).input().text());
        run.start();
        return run;
    }
}
