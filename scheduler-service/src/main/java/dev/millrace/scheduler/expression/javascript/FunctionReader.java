package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.evaluator.Answer;
import dev.millrace.scheduler.expression.evaluator.Evaluators;
import dev.millrace.scheduler.expression.evaluator.Language;
import dev.millrace.scheduler.expression.evaluator.Request;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Conversion of a script into a function. The script is an expression, a body that returns, or statements that end with
 * an expression or an {@code if}.
 */
final class FunctionReader {
    /** Tokens with which a line continues the expression of the line before. */
    private static final Set<String> CONTINUES = Set.of(
            "(",
            "[",
            ".",
            "?.",
            ",",
            "?",
            ":",
            "+",
            "-",
            "*",
            "/",
            "%",
            "**",
            "=",
            "=>",
            "==",
            "===",
            "!=",
            "!==",
            "<",
            ">",
            "<=",
            ">=",
            "&&",
            "||",
            "??",
            "&",
            "|",
            "^",
            "in",
            "instanceof",
            ";",
            "}",
            ")",
            "]",
            "else",
            "catch",
            "finally");

    /** Maximum number of tokens tried as the beginning of the last statement. */
    private static final int STATEMENTS_TRIED_MAX = 20;

    private static final String REMEDY_SHORTER = "Write it shorter, or do the work in a step.";

    private final String source;
    private final List<Token> tokens;
    private final String head;

    FunctionReader(String source, List<Token> tokens, List<String> parameters) {
        this.source = source;
        this.tokens = tokens;
        this.head = "(function(" + String.join(",", parameters) + "){\"use strict\";";
    }

    FunctionBody function() {
        if (declares() && body(source).isPresent()) {
            return statements(Optional.empty());
        }
        try {
            return new FunctionBody(parsed(head + "return (", source, "\n)})"), Optional.empty());
        } catch (ScriptInvalid invalid) {
            return statements(Optional.of(invalid));
        }
    }

    /**
     * Whether the first statement declares a function or class, which would mean something else as part of an
     * expression.
     */
    private boolean declares() {
        return tokens.getFirst().is("function") || tokens.getFirst().is("class");
    }

    /**
     * Converts a script of statements.
     *
     * @param asExpression why the script is not an expression; empty if this was not tried
     */
    private FunctionBody statements(Optional<ScriptInvalid> asExpression) {
        if (returns()) {
            return body(source).orElseThrow(() -> invalid(asBody(source)));
        }
        int tries = 0;
        for (int i = tokens.size() - 1; i >= 0 && tries < STATEMENTS_TRIED_MAX; i--) {
            if (mayBeginStatement(i) && beginsStatement(i)) {
                tries++;
                int start = tokens.get(i).start();
                Optional<FunctionBody> found = body(source.substring(0, start) + "return " + source.substring(start));
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        Optional<FunctionBody> completed = Completion.of(source, tokens).flatMap(this::body);
        if (completed.isPresent()) {
            return completed.get();
        }
        if (body(source).isPresent()) {
            throw new ScriptInvalid(
                    "The expression \"" + Excerpt.of(source) + "\" has no value.",
                    "End it with a return, or with an expression of its own.");
        }
        boolean isList = tokens.stream().anyMatch(token -> token.depth() == 0 && token.is(";"));
        throw invalid(isList ? asBody(source) : asExpression.orElseGet(() -> asBody(source)));
    }

    private ScriptInvalid invalid(ScriptInvalid reason) {
        return new ScriptInvalid(
                "The expression \"" + Excerpt.of(source) + "\" is not JavaScript: " + reason.getMessage() + ".",
                "Correct the expression.");
    }

    private boolean returns() {
        return tokens.stream().anyMatch(token -> token.is("return") && !insideFunction(token));
    }

    /**
     * Whether a token is inside a function of the script: the brace of its body follows a parameter list or an arrow.
     */
    private boolean insideFunction(Token word) {
        int depth = word.depth();
        for (int i = tokens.indexOf(word) - 1; i > 0; i--) {
            Token token = tokens.get(i);
            if (token.is("{") && token.depth() < depth) {
                depth = token.depth();
                if (tokens.get(i - 1).is("=>") || (tokens.get(i - 1).is(")") && isParameterList(i - 1))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isParameterList(int close) {
        int open = close - 1;
        while (open > 0
                && !(tokens.get(open).is("(")
                        && tokens.get(open).depth() == tokens.get(close).depth())) {
            open--;
        }
        Token before = open > 0 ? tokens.get(open - 1) : tokens.get(open);
        return before.isName()
                && !Set.of("if", "for", "while", "switch", "catch", "with").contains(before.text());
    }

    private boolean mayBeginStatement(int i) {
        Token token = tokens.get(i);
        if (token.depth() > 0
                || (token.kind() == Token.Kind.PUNCTUATOR && (token.is(";") || token.is("}") || token.is(")")))) {
            return false;
        }
        if (i == 0) {
            return true;
        }
        Token before = tokens.get(i - 1);
        return before.is(";")
                || before.is("}")
                || (token.afterLineBreak() && !CONTINUES.contains(token.text()) && token.kind() != Token.Kind.TEMPLATE);
    }

    /**
     * Whether the engine's parser also begins a statement at a token instead of continuing the one before.
     *
     * <p>Without the line break between the two, a {@code return} is valid there only after the end of a statement. If
     * the parser needs the line break, the line break ended the statement.
     */
    private boolean beginsStatement(int i) {
        if (i == 0 || tokens.get(i - 1).is(";")) {
            return true;
        }
        String before = source.substring(0, tokens.get(i - 1).end());
        String after = source.substring(tokens.get(i).start());
        return body(before + " return " + after).isPresent()
                || (tokens.get(i).afterLineBreak() && body(before + " " + after).isEmpty());
    }

    /** Wraps the text into braces, which let a script declare names that are also parameters. */
    private Optional<FunctionBody> body(String text) {
        try {
            return Optional.of(new FunctionBody(parsed(head + "{", text, "\n}})"), Optional.of(text)));
        } catch (ScriptInvalid invalid) {
            return Optional.empty();
        }
    }

    private ScriptInvalid asBody(String text) {
        try {
            parsed(head + "{", text, "\n}})");
            throw new IllegalStateException("a text is JavaScript now and was not before");
        } catch (ScriptInvalid invalid) {
            return invalid;
        }
    }

    private String parsed(String before, String text, String after) {
        String function = before + text + after;
        Request request = new Request(
                Language.JAVASCRIPT_SYNTAX,
                "The check of the expression \"" + Excerpt.of(source) + "\"",
                REMEDY_SHORTER,
                List.of(function, source, Integer.toString(before.length())));
        try {
            return switch (Evaluators.shared().evaluate(request)) {
                case Answer.Value _ -> function;
                case Answer.Invalid(String message, String remedy) -> throw new ScriptInvalid(message, remedy);
                case Answer.Failed(String _, String message) -> throw new ScriptInvalid(message, REMEDY_SHORTER);
            };
        } catch (EvaluationFailed killed) {
            throw new ScriptInvalid(killed.sentence(), REMEDY_SHORTER);
        }
    }
}
