package dev.millrace.scheduler.resource.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionLanguage;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The value of a resource. Its texts refer to secrets as the inputs of steps do, alone or beside literal text; keys of
 * objects are literal.
 *
 * @param json as written, references included
 * @param secrets paths of the secrets to which it refers
 */
public record ResourceValue(JsonValue json, Set<String> secrets) {
    public ResourceValue {
        requireNonNull(json, "json");
        secrets = Set.copyOf(secrets);
    }

    /** The value, or what is wrong with it. */
    public sealed interface Reading {
        record Read(ResourceValue value) implements Reading {}

        /** A text that is no reference to a secret; {@code message} is in full sentences. */
        record Unreadable(String message) implements Reading {}
    }

    /** Finds the references in a value. */
    public static Reading read(JsonValue json) {
        Set<String> secrets = new TreeSet<>();
        Optional<String> problem = collect(json, secrets);
        return problem.<Reading>map(Reading.Unreadable::new)
                .orElseGet(() -> new Reading.Read(new ResourceValue(json, secrets)));
    }

    private static Optional<String> collect(JsonValue json, Set<String> secrets) {
        return switch (json.kind()) {
            case OBJECT -> firstProblem(json.members().values(), secrets);
            case ARRAY -> firstProblem(json.elements(), secrets);
            case STRING ->
                switch (Template.read(json.string(), OnlyReferences.INSTANCE)) {
                    case TemplateReading.Read(Template text) -> secretsOf(text, secrets);
                    case TemplateReading.Unreadable(String message, String remedy) ->
                        Optional.of(message + " " + remedy);
                };
            case NUMBER, BOOLEAN, NULL -> Optional.empty();
        };
    }

    private static Optional<String> firstProblem(Iterable<JsonValue> values, Set<String> secrets) {
        for (JsonValue value : values) {
            Optional<String> problem = collect(value, secrets);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> secretsOf(Template text, Set<String> secrets) {
        for (Expression expression : text.expressions()) {
            if (!(expression instanceof Path path)
                    || !(path.root() instanceof Root.Reference(ReferenceKind kind, String secret))
                    || kind != ReferenceKind.SECRET) {
                return Optional.of("\"" + expression + "\" has no value in a resource. " + OnlyReferences.REMEDY);
            }
            secrets.add(secret);
        }
        return Optional.empty();
    }

    /**
     * The value with the secrets in place of their references.
     *
     * @param values returns the value of a secret by its path
     */
    public JsonValue resolve(UnaryOperator<String> values) {
        return resolve(json, values);
    }

    private static JsonValue resolve(JsonValue json, UnaryOperator<String> values) {
        return switch (json.kind()) {
            case OBJECT -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                json.members().forEach((name, member) -> members.put(name, resolve(member, values)));
                yield JsonValue.ofMembers(members);
            }
            case ARRAY ->
                JsonValue.of(json.elements().stream()
                        .map(element -> resolve(element, values).toString())
                        .collect(Collectors.joining(",", "[", "]")));
            case STRING -> JsonValue.ofString(text(json.string(), values));
            case NUMBER, BOOLEAN, NULL -> json;
        };
    }

    private static String text(String source, UnaryOperator<String> values) {
        if (!(Template.read(source, OnlyReferences.INSTANCE) instanceof TemplateReading.Read(Template template))) {
            throw new IllegalStateException("a resource was stored whose texts cannot be read");
        }
        return switch (template) {
            case Template.Constant(JsonValue constant) -> constant.string();
            case Template.Whole whole -> value(whole.expression(), values);
            case Template.Text(var parts) -> {
                StringBuilder joined = new StringBuilder();
                for (Template.Part part : parts) {
                    joined.append(
                            switch (part) {
                                case Template.Part.Literal(String literal) -> literal;
                                case Template.Part.Embedded(var expression) -> value(expression, values);
                            });
                }
                yield joined.toString();
            }
            case Template.Members _, Template.Elements _ -> throw new IllegalStateException("a text is no tree");
        };
    }

    private static String value(Expression expression, UnaryOperator<String> values) {
        if (expression instanceof Path path && path.root() instanceof Root.Reference reference) {
            return values.apply(reference.path());
        }
        throw new IllegalStateException("a resource was stored that refers to " + expression);
    }

    /** The language of texts in resources, which have no expressions but references. */
    private enum OnlyReferences implements ExpressionLanguage {
        INSTANCE;

        static final String REMEDY = "Write ${{ secrets.FOLDER.NAME }}, or $${{ for the characters ${{ themselves.";

        @Override
        public ExpressionReading read(String text) {
            return new ExpressionReading.Unreadable("\"" + text.strip() + "\" has no value in a resource.", REMEDY);
        }

        @Override
        public Optional<Integer> end(String text, int start) {
            return Optional.of(text.indexOf("}}", start)).filter(found -> found >= 0);
        }
    }
}
