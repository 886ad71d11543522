package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parser of plain paths. */
final class PathReader {
    /** Names of JavaScript that may be at the beginning of an expression and are not roots of paths. */
    private static final Set<String> LANGUAGE_NAMES = Set.of(
            "true",
            "false",
            "null",
            "undefined",
            "NaN",
            "Infinity",
            "this",
            "Math",
            "Number",
            "JSON",
            "Object",
            "Array",
            "String",
            "Date");

    /** Exception that ends the parsing of an expression that is not a plain path. */
    private static final class NotPlain extends RuntimeException {
        NotPlain() {
            super("not a plain path", null, false, false);
        }
    }

    /** Maximum digits of an index. */
    private static final int INDEX_DIGITS_MAX = 9;

    private final String text;
    private int position;

    private PathReader(String text) {
        this.text = text;
    }

    /** Parses a path; empty if the text is another kind of expression. */
    static Optional<Path> read(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty()) {
            throw new ExpressionInvalid(
                    "The expression is empty.", "Write what its value is, for example steps.split.result.items[0].");
        }
        try {
            return Optional.of(new PathReader(trimmed).path());
        } catch (NotPlain more) {
            return Optional.empty();
        }
    }

    private Path path() {
        String first = name(false);
        Root root = switch (first) {
            case "inputs" -> new Root.Inputs();
            case "item" -> new Root.Item();
            case "index" -> new Root.Index();
            case "outer" -> outer();
            case "vars" -> new Root.Variables();
            case "env" -> new Root.Environment();
            case "result" -> new Root.Result();
            case "results_so_far" -> new Root.ResultsSoFar();
            case "error" -> new Root.Failure();
            case "retry" -> new Root.Retry();
            case "steps" -> stepResult();
            case "run" -> run();
            case "secrets" -> reference(ReferenceKind.SECRET);
            case "resources" -> reference(ReferenceKind.RESOURCE);
            default -> throw unknownRoot(first);
        };
        List<Segment> segments = new ArrayList<>();
        while (position < text.length()) {
            segments.add(segment(false));
        }
        return new Path(root, segments);
    }

    private RuntimeException unknownRoot(String name) {
        while (position < text.length()) {
            segment(true);
        }
        if (LANGUAGE_NAMES.contains(name)) {
            return new NotPlain();
        }
        return new ExpressionInvalid(
                "\"" + name + "\" is unknown in the expression \"" + text + "\".",
                "Use one of inputs, steps.ID.result, item, index, outer.item, vars, env, result, error, retry, run.id,"
                        + " secrets.FOLDER.NAME, resources.FOLDER.NAME.");
    }

    private Root stepResult() {
        String remedy = "Write steps.ID.result, where ID is the id of a step.";
        String id = keyOf(position < text.length() ? segment(true) : null, "steps", remedy);
        boolean ifAny = text.startsWith("?.", position);
        String member = keyOf(position < text.length() ? segment(false) : null, "steps." + id, remedy);
        if (!member.equals("result")) {
            throw new ExpressionInvalid("A step has no \"" + member + "\" in the expression \"" + text + "\".", remedy);
        }
        return ifAny ? new Root.StepResultIfAny(id) : new Root.StepResult(id);
    }

    private Root outer() {
        String remedy = "Write outer.item or outer.index; outer.outer is one loop further out.";
        for (int outward = 1; ; outward++) {
            String member = keyOf(position < text.length() ? segment(false) : null, "outer", remedy);
            switch (member) {
                case "item" -> {
                    return new Root.Item(outward);
                }
                case "index" -> {
                    return new Root.Index(outward);
                }
                case "outer" -> {}
                default ->
                    throw new ExpressionInvalid(
                            "A loop has no \"" + member + "\" in the expression \"" + text + "\".", remedy);
            }
        }
    }

    private Root run() {
        String remedy = "Write run.id.";
        String member = keyOf(position < text.length() ? segment(false) : null, "run", remedy);
        if (!member.equals("id")) {
            throw new ExpressionInvalid("A run has no \"" + member + "\" in the expression \"" + text + "\".", remedy);
        }
        return new Root.Run();
    }

    /** Reads the rest of the text as a path. Nothing can be computed with what it refers to. */
    private Root reference(ReferenceKind kind) {
        List<String> parts = new ArrayList<>();
        try {
            while (position < text.length()) {
                Segment segment = segment(true);
                parts.add(segment.optional() || segment.key() == null ? "" : segment.key());
            }
        } catch (NotPlain computed) {
            parts.clear();
        }
        String path = String.join("/", parts);
        if (!ReferencePath.isValid(path)) {
            throw new ExpressionInvalid(
                    "\"" + text + "\" does not name one of the " + kind.root() + ".",
                    "Write " + kind.root() + ".FOLDER.NAME and nothing else between the braces; a path has "
                            + ReferencePath.EXPECTED + ".");
        }
        return new Root.Reference(kind, path);
    }

    private String keyOf(@Nullable Segment segment, String holder, String remedy) {
        String key = segment == null ? null : segment.key();
        if (key == null) {
            throw new ExpressionInvalid(
                    "\"" + holder + "\" is not a value by itself in the expression \"" + text + "\".", remedy);
        }
        return key;
    }

    private Segment segment(boolean hyphenAllowed) {
        boolean optional = text.startsWith("?.", position);
        if (optional) {
            position += 2;
        }
        if (at('[')) {
            return bracket(optional);
        }
        if (!optional) {
            take('.');
        }
        return Segment.key(name(hyphenAllowed), optional);
    }

    private Segment bracket(boolean optional) {
        take('[');
        skipSpace();
        Segment segment = at('"') || at('\'') ? Segment.key(quoted(), optional) : Segment.index(index(), optional);
        skipSpace();
        take(']');
        return segment;
    }

    private String quoted() {
        char quote = text.charAt(position++);
        StringBuilder key = new StringBuilder();
        while (position < text.length() && text.charAt(position) != quote) {
            if (at('\\') && position + 1 < text.length()) {
                position++;
            }
            key.append(text.charAt(position++));
        }
        take(quote);
        return key.toString();
    }

    private int index() {
        int start = position;
        while (position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9') {
            position++;
        }
        if (position == start || position - start > INDEX_DIGITS_MAX) {
            throw notPlain();
        }
        return Integer.parseInt(text, start, position, 10);
    }

    private String name(boolean hyphenAllowed) {
        int start = position;
        while (position < text.length()
                && (isNamePart(text.charAt(position)) || (hyphenAllowed && position > start && at('-')))) {
            position++;
        }
        if (position == start || isDigit(text.charAt(start))) {
            throw notPlain();
        }
        return text.substring(start, position);
    }

    static boolean isName(String key) {
        return !key.isEmpty() && !isDigit(key.charAt(0)) && key.chars().allMatch(c -> isNamePart((char) c));
    }

    private static boolean isNamePart(char c) {
        return c == '_' || c == '$' || Character.isLetterOrDigit(c);
    }

    private static boolean isDigit(char c) {
        return Character.isDigit(c);
    }

    private void skipSpace() {
        while (at(' ')) {
            position++;
        }
    }

    private boolean at(char c) {
        return position < text.length() && text.charAt(position) == c;
    }

    private void take(char c) {
        if (!at(c)) {
            throw notPlain();
        }
        position++;
    }

    private static NotPlain notPlain() {
        return new NotPlain();
    }
}
