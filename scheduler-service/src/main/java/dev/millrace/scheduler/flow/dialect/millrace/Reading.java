package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.dialect.FlowUse;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.ScriptUse;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Data collected while one definition is read. */
final class Reading {
    private final Problems problems;
    private MillraceLanguage language;
    private final Set<String> scriptPaths = new LinkedHashSet<>();
    private final List<ScriptUse> scriptUses = new ArrayList<>();
    private final Map<String, FlowUse> flows = new LinkedHashMap<>();
    private int steps;

    Reading(Problems problems, MillraceLanguage language) {
        this.problems = problems;
        this.language = language;
    }

    /** The language of expressions. */
    MillraceLanguage language() {
        return language;
    }

    /** Reads a part of the definition with another language. */
    <T> T in(MillraceLanguage other, Supplier<T> part) {
        MillraceLanguage outer = language;
        language = other;
        try {
            return part.get();
        } finally {
            language = outer;
        }
    }

    Problems problems() {
        return problems;
    }

    void problem(Mark mark, String path, String message, String remedy) {
        problems.add(mark, path, message, remedy);
    }

    void useScript(String path) {
        scriptPaths.add(path);
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

    /** Counts a step. Returns whether the number of steps is still within the limit. */
    boolean countStep(Mark mark, String path) {
        steps++;
        if (steps == FlowLimits.STEPS_MAX + 1) {
            problem(
                    mark,
                    path,
                    "The flow has more than the limit of " + FlowLimits.STEPS_MAX + " steps.",
                    "Use for_each for steps that are alike, or split the flow.");
        }
        return steps <= FlowLimits.STEPS_MAX;
    }
}
