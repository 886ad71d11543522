package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON tree whose strings may hold expressions. A string that is wholly one expression takes the value with its type; in a
 * longer string values are written as text. A doubled dollar sign before the braces stands for the braces themselves.
 */
public sealed interface Template {
    /** A value without expressions. */
    record Constant(JsonValue value) implements Template {
        public static final Constant NULL = new Constant(JsonValue.NULL);
        public static final Constant EMPTY_OBJECT = new Constant(JsonValue.EMPTY_OBJECT);
    }

    /** A string that is wholly one expression. */
    record Whole(Expression expression) implements Template {}

    /** A string with expressions inside. */
    record Text(List<Part> parts) implements Template {
        public Text {
            parts = List.copyOf(parts);
        }
    }

    /** An object with expressions somewhere below. */
    record Members(Map<String, Template> members) implements Template {
        public Members {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }
    }

    /** An array with expressions somewhere below. */
    record Elements(List<Template> elements) implements Template {
        public Elements {
            elements = List.copyOf(elements);
        }
    }

    /** A piece of a text. */
    sealed interface Part {
        /** Text as it stands. */
        record Literal(String text) implements Part {}

        /** A value written as text. */
        record Embedded(Expression expression) implements Part {}
    }

    /**
     * Reads one string of a definition.
     *
     * @param language of the expressions in it that are no plain paths
     */
    static TemplateReading read(String text, ExpressionLanguage language) {
        try {
            return new TemplateReading.Read(new TextReader(text, language).template());
        } catch (ExpressionInvalid invalid) {
            return invalid.reading();
        }
    }

    /** An object of templates; a constant where all of them are. */
    static Template object(Map<String, Template> members) {
        Template tree = new Members(members);
        return members.values().stream().allMatch(Constant.class::isInstance) ? constant(tree) : tree;
    }

    /** An array of templates; a constant where all of them are. */
    static Template array(List<Template> elements) {
        Template tree = new Elements(elements);
        return elements.stream().allMatch(Constant.class::isInstance) ? constant(tree) : tree;
    }

    private static Template constant(Template tree) {
        return new Constant(new TemplateWriter(NoScope.INSTANCE, Integer.MAX_VALUE).value(tree));
    }

    /**
     * Its value in a scope.
     *
     * @param bytesMax most bytes the value may take in UTF-8
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

    /** Whether all its expressions are plain: see {@link Expression#isPlain}. */
    default boolean isPlain() {
        return expressions().stream().allMatch(Expression::isPlain);
    }

    /** The expressions it holds, in order, repeated where used repeatedly. */
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
