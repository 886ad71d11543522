package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionLanguage;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.Functions;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * JavaScript with the names of the dialect {@code millrace}.
 *
 * @param functions functions that expressions may call besides those of JavaScript, by family
 * @param inputs meaning of {@code inputs}
 */
public record MillraceLanguage(Map<String, Functions> functions, Root inputs) implements ExpressionLanguage {
    /** The language without further functions. */
    public static final MillraceLanguage INSTANCE = new MillraceLanguage(Map.of());

    public MillraceLanguage {
        functions = Map.copyOf(functions);
    }

    /** The language with the inputs of the flow. */
    public MillraceLanguage(Map<String, Functions> functions) {
        this(functions, new Root.Inputs());
    }

    /** Returns a copy in which {@code inputs} is the result of a step. */
    public MillraceLanguage withInputsOf(String step) {
        return new MillraceLanguage(functions, new Root.StepResult(step));
    }

    /** Returns a copy in which {@code inputs} is the input of the flow. */
    public MillraceLanguage withOwnInputs() {
        return new MillraceLanguage(functions);
    }

    /** Maximum number of loops around a step that it can read. */
    private static final int LOOPS_MAX = 8;

    static final Names NAMES = names(new Root.Inputs());

    @Override
    public ExpressionReading read(String text) {
        try {
            return functions.isEmpty()
                    ? JavaScript.read(text, visible())
                    : new CallReader(text, functions, this, visible()).read();
        } catch (ScriptInvalid invalid) {
            return invalid.reading();
        }
    }

    @Override
    public Path plain(Path path) {
        return path.root() instanceof Root.Inputs ? new Path(inputs, path.segments()) : path;
    }

    private Names visible() {
        return inputs instanceof Root.Inputs ? NAMES : names(inputs);
    }

    @Override
    public Optional<Integer> end(String text, int start) {
        return Lexer.endOfExpression(text, start);
    }

    private static Names names(Root inputs) {
        Map<String, Binding> names = new LinkedHashMap<>();
        names.put("inputs", value(inputs));
        names.put("steps", new Binding.Steps());
        names.put("item", value(new Root.Item()));
        names.put("index", value(new Root.Index()));
        names.put("outer", outer(1));
        names.put("vars", value(new Root.Variables()));
        names.put("env", value(new Root.Environment()));
        names.put("result", value(new Root.Result()));
        names.put("results_so_far", value(new Root.ResultsSoFar()));
        names.put("error", value(new Root.Failure()));
        names.put("retry", value(new Root.Retry()));
        names.put("run", new Binding.Members(Map.of("id", value(new Root.Run()))));
        return new Names(names);
    }

    private static Binding outer(int outward) {
        Map<String, Binding> members = new LinkedHashMap<>();
        members.put("item", value(new Root.Item(outward)));
        members.put("index", value(new Root.Index(outward)));
        if (outward < LOOPS_MAX) {
            members.put("outer", outer(outward + 1));
        }
        return new Binding.Members(members);
    }

    private static Binding value(Root root) {
        return new Binding.Value((Expression) new Path(root));
    }
}
