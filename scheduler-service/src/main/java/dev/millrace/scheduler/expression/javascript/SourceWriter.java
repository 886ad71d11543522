package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionText;
import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writer of a script of another dialect with the names of the dialect {@code millrace}. */
final class SourceWriter {
    /** Exception for a name that cannot be written. */
    private static final class NotExpressible extends RuntimeException {
        NotExpressible() {
            super("not expressible", null, false, false);
        }
    }

    /** Function that returns its argument, evaluated as a plain path. */
    private static final String VALUE = "path.value";

    private final String source;
    private final List<Token> tokens;
    private final Map<String, Binding> bindings;
    private final StringBuilder target = new StringBuilder();
    /** Index up to which the source has been written. */
    private int written;

    private SourceWriter(String source, Map<String, Binding> bindings) {
        this.source = source;
        this.tokens = Lexer.tokens(source);
        this.bindings = bindings;
    }

    /** Returns the script; empty if the dialect cannot express what it reads. */
    static Optional<String> write(String source, Map<String, Binding> bindings) {
        SourceWriter writer = new SourceWriter(source, bindings);
        try {
            writer.names();
            return Optional.of(writer.target
                    .append(source.substring(writer.written))
                    .toString()
                    .strip());
        } catch (NotExpressible none) {
            return Optional.empty();
        }
    }

    private void names() {
        for (int i = 0; i < tokens.size(); i++) {
            Binding binding = bindings.get(tokens.get(i).text());
            if (binding != null && tokens.get(i).isName() && !isMember(i) && !isKey(i)) {
                target.append(source, written, tokens.get(i).start());
                if (isShorthand(i)) {
                    target.append(tokens.get(i).text()).append(": ");
                }
                written = tokens.get(i).end();
                write(binding, i + 1);
            }
        }
    }

    /** Writes the definition of a name, and notes which of the following tokens it replaces. */
    private void write(Binding binding, int next) {
        switch (binding) {
            case Binding.Value(Path(Root.StepResultIfAny step, List<?> segments))
            when segments.isEmpty() && isMemberAsked(next) -> target.append(step(step.id(), next));
            case Binding.Value(Expression expression) -> target.append(text(expression));
            case Binding.Members members -> members(members, next);
            case Binding.Steps _ -> target.append("steps");
            case Binding.StepResults _ -> results(next);
        }
    }

    private void members(Binding.Members object, int next) {
        Optional<String> key = key(next);
        if (key.isPresent() && object.members().containsKey(key.get())) {
            int after = afterKey(next);
            written = tokens.get(after - 1).end();
            write(object.members().get(key.get()), after);
        } else if (key.isPresent() && object.base().isPresent()) {
            target.append(text(object.base().get()));
        } else {
            target.append(whole(object));
        }
    }

    private static String whole(Binding.Members object) {
        String base =
                object.base().map(expression -> "..." + text(expression) + ", ").orElse("");
        String members = object.members().entrySet().stream()
                .map(member -> JsonStrings.quote(member.getKey()) + ": " + whole(member.getValue()))
                .collect(Collectors.joining(", "));
        return "({" + base + members + "})";
    }

    private static String whole(Binding binding) {
        return switch (binding) {
            case Binding.Value value -> text(value.expression());
            case Binding.Members members -> whole(members);
            case Binding.Steps _ -> "steps";
            case Binding.StepResults _ -> throw new NotExpressible();
        };
    }

    private void results(int next) {
        Optional<String> key = key(next);
        if (key.isPresent()) {
            int after = afterKey(next);
            target.append(step(key.get(), after));
            written = tokens.get(after - 1).end();
            return;
        }
        throw new NotExpressible();
    }

    /** Writes the result of a step. If a member of it follows that is required, the step must have ended. */
    private String step(String id, int next) {
        boolean needed = isMemberAsked(next) && !at(next, "?.");
        return ExpressionText.step(id) + (needed ? ".result" : "?.result");
    }

    private boolean isMemberAsked(int next) {
        return at(next, ".") || at(next, "?.") || at(next, "[") || at(next, "(");
    }

    /** Writes an expression so that a missing value is null. */
    private static String text(Expression expression) {
        String text = ExpressionText.operand(expression).orElseThrow(NotExpressible::new);
        if (!(expression instanceof Path path)) {
            return text;
        }
        if (!path.segments().stream().allMatch(Segment::optional)) {
            return VALUE + "(" + text + ")";
        }
        return path.segments().isEmpty() && !(path.root() instanceof Root.StepResultIfAny)
                ? text
                : "(" + text + " ?? null)";
    }

    /** Returns the next member that is read, if the text names it. */
    private Optional<String> key(int next) {
        if ((at(next, ".") || at(next, "?."))
                && next + 1 < tokens.size()
                && tokens.get(next + 1).isName()) {
            return Optional.of(tokens.get(next + 1).text());
        }
        int bracket = at(next, "?.") ? next + 1 : next;
        if (at(bracket, "[")
                && at(bracket + 2, "]")
                && tokens.get(bracket + 1).kind() == Token.Kind.STRING
                && tokens.get(bracket + 1).text().indexOf('\\') < 0) {
            String quoted = tokens.get(bracket + 1).text();
            return Optional.of(quoted.substring(1, quoted.length() - 1));
        }
        return Optional.empty();
    }

    private int afterKey(int next) {
        boolean dotted = tokens.get(next + 1).isName();
        return dotted ? next + 2 : at(next, "?.") ? next + 4 : next + 3;
    }

    private boolean isMember(int i) {
        return at(i - 1, ".") || at(i - 1, "?.");
    }

    private boolean isKey(int i) {
        return at(i + 1, ":") && (at(i - 1, "{") || at(i - 1, ","));
    }

    /** Whether a token is both key and value, as in {@code {flow_input}}. */
    private boolean isShorthand(int i) {
        if (!(at(i - 1, "{") || at(i - 1, ",")) || !(at(i + 1, "}") || at(i + 1, ","))) {
            return false;
        }
        int depth = tokens.get(i).depth();
        for (int open = i - 1; open >= 0; open--) {
            Token token = tokens.get(open);
            if (token.depth() < depth) {
                return token.is("{");
            }
        }
        return false;
    }

    private boolean at(int i, String expected) {
        return i >= 0 && i < tokens.size() && tokens.get(i).is(expected);
    }
}
