package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Template used as an expression, for example as the input of another expression.
 *
 * @param template whose value is the value of the expression
 */
public record Composed(Template template) implements Computed {
    /** Makes an expression with a constant value. */
    public static Composed constant(JsonValue value) {
        return new Composed(new Template.Constant(value));
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return new TemplateWriter(scope, SIZE_MAX).value(template);
    }

    /** Maximum characters of the value. */
    private static final int SIZE_MAX = 16 * 1024 * 1024;

    @Override
    public boolean isPlain() {
        return template.isPlain();
    }

    @Override
    public Reads reads() {
        return template.expressions().stream().map(Expression::reads).reduce(Reads.NOTHING, Reads::and);
    }

    @Override
    public List<Path> paths() {
        List<Path> paths = new ArrayList<>();
        for (Expression expression : template.expressions()) {
            switch (expression) {
                case Path path -> paths.add(path);
                case Computed computed -> paths.addAll(computed.paths());
            }
        }
        return paths;
    }

    @Override
    public Optional<String> text() {
        return ExpressionText.of(template);
    }

    @Override
    public Optional<String> operand() {
        return text().map(text -> template instanceof Template.Text ? text : "(" + text + ")");
    }
}
