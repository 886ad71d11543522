package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON tree whose strings may contain expressions. A string that consists of one expression has the value of that
 * expression, with its type. Within a longer string, values become text. <code>$${{</code> stands for <code>${{</code>.
 */
public sealed interface Template {
    /** A value without expressions. */
    record Constant(JsonValue value) implements Template {
        public static final Constant NULL = new Constant(JsonValue.NULL);
        public static final Constant EMPTY_OBJECT = new Constant(JsonValue.EMPTY_OBJECT);
    }

    /** A string that consists of one expression. */
    record Whole(Expression expression) implements Template {}

    /** A string that contains expressions. */
    record Text(List<Part> parts) implements Template {
        public Text {
            parts = List.copyOf(parts);
        }
    }

    /** An object that contains expressions at some level. */
    record Members(Map<String, Template> members) implements Template {
        public Members {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }
    }

    /** An array that contains expressions at some level. */
    record Elements(List<Template> elements) implements Template {
        public Elements {
            elements = List.copyOf(elements);
        }
    }

    /** A part of a text. */
    sealed interface Part {
        /** Literal text. */
        record Literal(String text) implements Part {}

        /** A value converted to text. */
        record Embedded(Expression expression) implements Part {}
    }

    /**
     * Parses one string of a definition.
     *
     * @param language for those expressions in it that are not plain paths
     */
    static TemplateReading read(String text, ExpressionLanguage language) {
        try {
            return new TemplateReading.Read(new TextReader(text, language).template());
        } catch (ExpressionInvalid invalid) {
            return invalid.reading();
        }
    }

    /** Makes an object of templates, which is a constant if all of them are. */
    static Template object(Map<String, Template> members) {
        Template tree = new Members(members);
        return members.values().stream().allMatch(Constant.class::isInstance) ? constant(tree) : tree;
    }

    /** Makes an array of templates, which is a constant if all of them are. */
    static Template array(List<Template> elements) {
        Template tree = new Elements(elements);
        return elements.stream().allMatch(Constant.class::isInstance) ? constant(tree) : tree;
    }

    private static Template constant(Template tree) {
        return new Constant(new TemplateWriter(NoScope.INSTANCE, Integer.MAX_VALUE).value(tree));
    }

    /**
     * Resolves the template in a scope.
     *
     * @param bytesMax maximum size of the value, in bytes of UTF-8
     */
    default Resolution resolve(Scope scope, int bytesMax) {
        try {
            JsonValue value = new TemplateWriter(scope, bytesMax).value(this);
            value.requireKind();
            return Utf8.exceeds(value, bytesMax) ? TemplateWriter.tooLarge(bytesMax) : new Resolution.Resolved(value);
        } catch (TemplateWriter.TooLarge tooLarge) {
            return TemplateWriter.tooLarge(bytesMax);
        } catch (EvaluationFailed failed) {
            return new Resolution.Unresolved(failed.name(), failed.sentence());
        }
    }

    /** Whether all expressions are plain, see {@link Expression#isPlain}. */
    default boolean isPlain() {
        return expressions().stream().allMatch(Expression::isPlain);
    }

    /** All expressions in the template, in order, with repetitions. */
    default List<Expression> expressions() {
        List<Expression> expressions = new ArrayList<>();
        collect(this, expressions);
        return expressions;
    }

    private static void collect(Template template, List<Expression> expressions) {
        switch (template) {
            case Constant constant -> {}
            case Whole whole -> expressions.add(whole.expression());
            case Text text -> {
                for (Part part : text.parts()) {
                    if (part instanceof Part.Embedded embedded) {
                        expressions.add(embedded.expression());
                    }
                }
            }
            case Members object -> object.members().values().forEach(member -> collect(member, expressions));
            case Elements array -> array.elements().forEach(element -> collect(element, expressions));
        }
    }
}
