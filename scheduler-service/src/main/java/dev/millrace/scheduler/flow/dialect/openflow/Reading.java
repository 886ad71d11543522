package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.dialect.Compilation.InlineScript;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.FlowUse;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is gathered while one definition is read. */
final class Reading {
    private final Problems problems;
    private final StepIndex steps = new StepIndex();
    private final Set<String> scriptPaths = new LinkedHashSet<>();
    private final Map<String, FlowUse> flows = new LinkedHashMap<>();
    private final Map<String, InlineScript> inlineScripts = new LinkedHashMap<>();
    private Optional<String> tagOfAll = Optional.empty();
    private boolean failureModule;
    private boolean innerModules;
    private int modules;

    Reading(Problems problems) {
        this.problems = problems;
    }

    Problems problems() {
        return problems;
    }

    StepIndex steps() {
        return steps;
    }

    void problem(Mark mark, String path, String message, String remedy) {
        problems.add(mark, path, message, remedy);
    }

    /** The keys of an object; those that are null are taken for absent, as Windmill writes them. */
    Fields fields(SourceNode node, String path, String what, List<String> known) {
        return Fields.of(problems, Nulls.without(node), path, what, known);
    }

    /** All scripts run at the workers of this tag, where there is one. */
    void runEverythingAt(Optional<String> tag) {
        tagOfAll = tag;
    }

    Optional<String> tagOfAll() {
        return tagOfAll;
    }

    /** Notes whether the flow has a failure module. */
    void noteFailureModule(boolean there) {
        failureModule = there;
    }

    boolean hasFailureModule() {
        return failureModule;
    }

    /** Notes that there are modules in loops or branches. */
    void noteInnerModules() {
        innerModules = true;
    }

    boolean hasInnerModules() {
        return innerModules;
    }

    /** Notes something that is asked for in vain. */
    void warn(Mark mark, String path, String message, String remedy) {
        problems.warn(mark, path, message, remedy);
    }

    void useScript(String path) {
        scriptPaths.add(path);
    }

    List<String> scriptPaths() {
        return List.copyOf(scriptPaths);
    }

    void useFlow(FlowUse use) {
        flows.putIfAbsent(use.path(), use);
    }

    List<FlowUse> flows() {
        return List.copyOf(flows.values());
    }

    void addInlineScript(String path, InlineScript script) {
        inlineScripts.put(path, script);
    }

    Map<String, InlineScript> inlineScripts() {
        return inlineScripts;
    }

    /** An id for a module that has none. */
    String freeId() {
        String free = "module_" + modules;
        while (steps.contains(free)) {
            free += "_";
        }
        return free;
    }

    /** Counts a module; tells whether there is room for it. */
    boolean countModule(Mark mark, String path) {
        modules++;
        if (modules == FlowLimits.STEPS_MAX + 1) {
            problem(
                    mark,
                    path,
                    "The flow has more than the limit of " + FlowLimits.STEPS_MAX + " steps.",
                    "Use a forloopflow for steps that are alike, or split the flow.");
        }
        return modules <= FlowLimits.STEPS_MAX;
    }
}
