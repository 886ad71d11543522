package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.evaluator.Evaluators;
import dev.millrace.scheduler.expression.evaluator.Language;
import dev.millrace.scheduler.expression.evaluator.Remote;
import dev.millrace.scheduler.expression.evaluator.Request;
import dev.millrace.scheduler.expression.javascript.operators.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * JavaScript that an evaluator process runs, unless simple operators can evaluate it here.
 *
 * @param source text of the script
 * @param function text of its function, whose parameters are the names that it reads, in the order of
 *     {@code parameters}
 * @param leavesTraces whether the script declares private members, which can mark even frozen objects
 * @param javaMethods whether the script calls methods of Java's lists and maps, so that its values must have them
 * @param operation equivalent in Java, if the script has only constants, plain paths and operators
 * @param statements body of the function, which returns; absent if the script is an expression
 * @param parameters names that the script reads
 * @param declared names that the script may declare itself
 */
record Script(
        String source,
        String function,
        boolean leavesTraces,
        boolean javaMethods,
        Optional<Operation> operation,
        Optional<String> statements,
        List<Parameter> parameters,
        Set<String> declared)
        implements Computed {
    /** A name, and how much of its value is read. */
    record Parameter(String name, Binding binding, Usage usage) {
        /** Whether the script may read members that its text does not name. */
        boolean onDemand() {
            return usage.isWhole() && (binding instanceof Binding.Steps || binding instanceof Binding.StepResults);
        }
    }

    Script {
        parameters = List.copyOf(parameters);
        declared = Set.copyOf(declared);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return operation.flatMap(known -> known.value(scope)).orElseGet(() -> run(scope));
    }

    private JsonValue run(Scope scope) {
        Reader reader = new Reader(scope, Limits.INPUT_CHARS_MAX);
        List<@Nullable String> texts = new ArrayList<>(parameters.size());
        for (Parameter parameter : parameters) {
            texts.add(text(parameter, reader));
        }
        ScriptCall call = new ScriptCall(
                source,
                function,
                leavesTraces,
                javaMethods,
                parameters.stream().map(Parameter::onDemand).toList(),
                texts);
        Request request = new Request(
                Language.JAVASCRIPT,
                "The expression \"" + Excerpt.of(source) + "\"",
                "Do such work in a step.",
                call.parts());
        String result = Remote.value(Evaluators.shared().evaluate(request, (part, key) -> find(scope, part, key)));
        return JsonValue.of(ExactNumbers.of(texts).restore(result));
    }

    /** Finds the JSON of a step whose id the script computes; null if the step does not exist. */
    private @Nullable String find(Scope scope, int parameter, String id) {
        Optional<JsonValue> result = scope.findStepResult(id);
        if (result.isEmpty()) {
            return null;
        }
        if (result.get().length() > Limits.STRING_CHARS_MAX) {
            throw new EvaluationFailed(
                    "PayloadTooLarge", "The result of step \"" + id + "\" is too large for an expression.");
        }
        return parameters.get(parameter).binding() instanceof Binding.Steps
                ? "{\"result\":" + result.get().text() + "}"
                : result.get().text();
    }

    private @Nullable String text(Parameter parameter, Reader reader) {
        try {
            return reader.text(parameter.binding(), parameter.usage());
        } catch (EvaluationFailed failed) {
            if (declared.contains(parameter.name())) {
                return null;
            }
            throw failed;
        }
    }

    @Override
    public Reads reads() {
        return parameters.stream().map(Script::reads).reduce(Reads.NOTHING, Reads::and);
    }

    private static Reads reads(Parameter parameter) {
        return reads(parameter.binding(), parameter.usage());
    }

    private static Reads reads(Binding binding, Usage usage) {
        return switch (binding) {
            case Binding.Value value -> value.expression().reads();
            case Binding.Members object ->
                Stream.concat(
                                object.base().stream().map(Expression::reads),
                                object.members().entrySet().stream().map(member -> {
                                    Usage part = usage.of(member.getKey());
                                    return part == null ? Reads.NOTHING : reads(member.getValue(), part);
                                }))
                        .reduce(Reads.NOTHING, Reads::and);
            case Binding.Steps _, Binding.StepResults _ ->
                new Reads(usage.members().keySet(), usage.isWhole());
        };
    }

    @Override
    public List<Path> paths() {
        List<Path> paths = new ArrayList<>();
        for (Parameter parameter : parameters) {
            if (!declared.contains(parameter.name())) {
                collect(parameter.binding(), parameter.usage(), paths);
            }
        }
        return paths;
    }

    private static void collect(Binding binding, Usage usage, List<Path> paths) {
        switch (binding) {
            case Binding.Value value
            when value.expression() instanceof Path path -> {
                if (usage.members().isEmpty()) {
                    paths.add(path);
                }
                for (String key : usage.members().keySet()) {
                    paths.add(new Path(path.root(), append(path.segments(), key)));
                }
            }
            case Binding.Value _ -> {}
            case Binding.Members object -> {
                for (Map.Entry<String, Usage> member : usage.members().entrySet()) {
                    Binding inner = object.members().get(member.getKey());
                    if (inner != null) {
                        collect(inner, member.getValue(), paths);
                    } else if (object.base().orElse(null) instanceof Path base) {
                        paths.add(new Path(base.root(), append(base.segments(), member.getKey())));
                    }
                }
            }
            case Binding.Steps _, Binding.StepResults _ ->
                usage.members().forEach((id, step) -> paths.add(new Path(root(binding, id, step))));
        }
    }

    /** Returns the root for a step. A step that is read without a question mark must have ended. */
    private static Root root(Binding binding, String id, Usage step) {
        return binding instanceof Binding.Steps && !step.isOptional()
                ? new Root.StepResult(id)
                : new Root.StepResultIfAny(id);
    }

    private static List<Segment> append(List<Segment> segments, String key) {
        List<Segment> longer = new ArrayList<>(segments);
        longer.add(Segment.key(key, false));
        return longer;
    }

    @Override
    public String toString() {
        return source;
    }

    @Override
    public Optional<String> text() {
        return written(source);
    }

    /** Writes a body of statements as a function that is called immediately. */
    @Override
    public Optional<String> operand() {
        return statements.isPresent()
                ? written(statements.get()).map(body -> "(() => {" + body + "\n})()")
                : text().map(expression -> "(" + expression + "\n)");
    }

    private Optional<String> written(String script) {
        Map<String, Binding> bindings = new LinkedHashMap<>();
        parameters.forEach(parameter -> bindings.put(parameter.name(), parameter.binding()));
        return javaMethods || bindings.keySet().stream().anyMatch(declared::contains)
                ? Optional.empty()
                : SourceWriter.write(script, bindings);
    }
}
