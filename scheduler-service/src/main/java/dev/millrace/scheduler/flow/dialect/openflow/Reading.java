package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.dialect.Compilation.InlineScript;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.FlowUse;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.ScriptUse;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Data collected while one definition is read. */
final class Reading {
    private final Problems problems;
    private final StepIndex steps = new StepIndex();
    private final Set<String> scriptPaths = new LinkedHashSet<>();
    private final Set<String> bunIfNeeded = new LinkedHashSet<>();
    private final List<ScriptUse> scriptUses = new ArrayList<>();
    private final Map<String, FlowUse> flows = new LinkedHashMap<>();
    private final Map<String, InlineScript> inlineScripts = new LinkedHashMap<>();
    private Optional<String> tagOfAll = Optional.empty();
    private final List<String> gates = new ArrayList<>();
    private boolean failureModule;
    private boolean innerModules;
    private int modules;

    Reading(Problems problems) {
        this.problems = problems;
    }

    Problems problems() {
        return problems;
    }

    /** Notes a step that waits for people. */
    void addGate(String id) {
        gates.add(id);
    }

    /** Ids of the steps that wait for people, as far as they have been read. */
    List<String> gates() {
        return List.copyOf(gates);
    }

    StepIndex steps() {
        return steps;
    }

    void problem(Mark mark, String path, String message, String remedy) {
        problems.add(mark, path, message, remedy);
    }

    /** Reads the keys of an object. Keys with the value null, which Windmill writes, count as absent. */
    Fields fields(SourceNode node, String path, String what, List<String> known) {
        return Fields.tolerant(problems, Nulls.without(node), path, what, known);
    }

    /** Sets the tag for all scripts; empty lets each script keep its own. */
    void runEverythingAt(Optional<String> tag) {
        tagOfAll = tag;
    }

    Optional<String> tagOfAll() {
        return tagOfAll;
    }

    void noteFailureModule(boolean there) {
        failureModule = there;
    }

    boolean hasFailureModule() {
        return failureModule;
    }

    /** Notes that a loop or branch has modules. */
    void noteInnerModules() {
        innerModules = true;
    }

    boolean hasInnerModules() {
        return innerModules;
    }

    /** Warns about a setting that has no effect. */
    void warn(Mark mark, String path, String message, String remedy) {
        problems.warn(mark, path, message, remedy);
    }

    void useScript(String path) {
        scriptPaths.add(path);
    }

    /** Notes a script in a file that runs in Bun if it needs Bun. */
    void useBunIfNeeded(String path) {
        bunIfNeeded.add(path);
    }

    Set<String> bunIfNeeded() {
        return bunIfNeeded;
    }

    /** Notes a step that runs a script. */
    void useScript(ScriptUse use) {
        scriptUses.add(use);
    }

    List<ScriptUse> scriptUses() {
        return List.copyOf(scriptUses);
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

    /** Number of modules so far. */
    int modules() {
        return modules;
    }

    /** Makes an id for a step without one of its own: the wanted one, with underscores if a module has it. */
    String freeId(String wanted) {
        String free = wanted;
        while (steps.contains(free)) {
            free += "_";
        }
        return free;
    }

    /** Counts a module. Returns whether the number of modules is still within the limit. */
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
