package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.javascript.Script.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parser of JavaScript expressions. */
public final class JavaScript {
    private JavaScript() {}

    /**
     * Parses an expression such as {@code results.a.map(x => x.id)}, or a body of statements. The value of a body is
     * that of a {@code return} or of its last expression. A plain path needs no script engine.
     *
     * @param source text of the expression
     * @param names that the expression can read
     */
    public static ExpressionReading read(String source, Names names) {
        try {
            Optional<Expression> chain = ChainReader.read(source.strip(), names);
            return new ExpressionReading.Read(chain.isPresent() ? chain.get() : script(source, names));
        } catch (ScriptInvalid invalid) {
            return invalid.reading();
        }
    }

    /**
     * Makes every segment of a plain path optional, so that a missing value is null even in the middle. Returns any
     * other expression unchanged.
     */
    public static Expression nullWhereMissing(Expression expression) {
        return expression instanceof Chain chain
                ? new Chain(
                        chain.base(),
                        chain.segments().stream()
                                .map(segment -> new Segment(segment.key(), segment.index(), true))
                                .toList(),
                        chain.source())
                : expression;
    }

    /** Whether a script can be written as an argument of a call: it has no comma outside brackets. */
    public static boolean isOneArgument(String source) {
        return Lexer.tokens(source).stream().noneMatch(token -> token.depth() == 0 && token.is(","));
    }

    private static Script script(String source, Names names) {
        if (source.length() > Limits.SOURCE_CHARS_MAX) {
            throw new ScriptInvalid(
                    "The expression has more than " + Limits.SOURCE_CHARS_MAX + " characters.",
                    "Move the work into a step.");
        }
        List<Token> tokens = Lexer.tokens(source);
        if (tokens.isEmpty()) {
            throw new ScriptInvalid("The expression is empty.", "Write what its value is.");
        }
        SourceScan scan = new SourceScan(tokens, names);
        List<Parameter> parameters = new ArrayList<>();
        for (Map.Entry<String, Usage> used : scan.used().entrySet()) {
            names.find(used.getKey())
                    .ifPresent(binding -> parameters.add(new Parameter(used.getKey(), binding, used.getValue())));
        }
        List<String> words = parameters.stream().map(Parameter::name).toList();
        FunctionBody body = new FunctionReader(source, tokens, words).function();
        boolean leavesTraces = tokens.stream().anyMatch(token -> token.text().startsWith("#"));
        return new Script(
                source,
                body.function(),
                leavesTraces,
                names.javaMethods() && JavaMethods.mayBeCalled(tokens),
                body.statements().isPresent() ? Optional.empty() : OperationReader.read(source, tokens, names),
                body.statements(),
                parameters,
                scan.declared());
    }
}
