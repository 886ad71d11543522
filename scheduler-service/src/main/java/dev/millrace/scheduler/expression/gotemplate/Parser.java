package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser of texts with actions. */
final class Parser {
    private static final String OPEN = "{{";
    private static final String CLOSE = "}}";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final Pattern WORD = Pattern.compile(
            "\\s*(?:(?<string>\"(?:[^\"\\\\]++|\\\\.)*+\"|`[^`]*`)|(?<number>-?\\d+(?:\\.\\d+)?)|(?<field>(?:\\.[A-Za-z_][A-Za-z0-9_]*)+)|(?<name>[A-Za-z_$][A-Za-z0-9_]*)|(?<mark>[.()|]))");
    private static final Set<String> WITHOUT_VALUE =
            Set.of("if", "range", "with", "else", "end", "block", "define", "template", "break", "continue");
    /** Maximum nesting depth of actions. */
    private static final int DEPTH_MAX = 50;

    private final String text;
    private final GoNames names;
    private int position;
    private int depth;
    private boolean trim;
    /** Words of the current action. */
    private List<String> words = List.of();

    private int word;
    private String action = "";
    /**
     * Number of {@code range} and {@code with} blocks around the position. Inside them the dot is a value; outside, it
     * is the data of the flow.
     */
    private int elementsAround;

    Parser(String text, GoNames names) {
        this.text = text;
        this.names = names;
    }

    Node template() {
        Node all = sequence();
        if (!action.isEmpty()) {
            throw invalid("{{" + action + "}} closes nothing");
        }
        return all;
    }

    /**
     * Parses parts up to the end of the text, or up to an {@code end} or {@code else} of the surrounding action. Leaves
     * that action in {@link #action}.
     */
    private Node sequence() {
        if (++depth > DEPTH_MAX) {
            throw invalid("its actions are nested deeper than " + DEPTH_MAX + " levels");
        }
        List<Node> parts = new ArrayList<>();
        while (position < text.length()) {
            int open = text.indexOf(OPEN, position);
            int end = open < 0 ? text.length() : open;
            boolean trimBefore = text.startsWith("{{- ", end);
            String literal = text.substring(position, end);
            literal = trim ? literal.stripLeading() : literal;
            parts.add(new Node.Literal(trimBefore ? literal.stripTrailing() : literal));
            position = end;
            if (open < 0) {
                break;
            }
            next();
            if (action.equals("end") || action.equals("else") || action.startsWith("else ")) {
                depth--;
                return new Node.Sequence(parts);
            }
            if (!action.startsWith("/*")) {
                parts.add(node());
            }
        }
        action = "";
        depth--;
        return new Node.Sequence(parts);
    }

    /** Moves past the action at the position. */
    private void next() {
        int close = closeOf(position + OPEN.length());
        String inside = text.substring(position + OPEN.length(), close);
        position = close + CLOSE.length();
        trim = inside.endsWith(" -");
        inside = trim ? inside.substring(0, inside.length() - 2) : inside;
        action = (inside.startsWith("- ") ? inside.substring(2) : inside).strip();
    }

    private int closeOf(int start) {
        char quote = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                i += c == '\\' && quote == '"' ? 1 : 0;
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '`') {
                quote = c;
            } else if (text.startsWith(CLOSE, i)) {
                return i;
            }
        }
        throw invalid("an action is not closed with }}");
    }

    private Node node() {
        if (NAME.matcher(action).matches()
                && !Functions.exists(action)
                && !WITHOUT_VALUE.contains(action)
                && !Set.of("true", "false", "nil").contains(action)) {
            return new Node.Value(named(names.variable(action).orElse(null), action));
        }
        words = words(action);
        word = 0;
        return switch (words.isEmpty() ? "" : words.getFirst()) {
            case "" -> throw invalid("an action is empty");
            case "if", "with" -> condition();
            case "range" -> {
                word++;
                Term elements = whole();
                elementsAround++;
                Node each = sequence();
                elementsAround--;
                yield new Node.Range(elements, each, otherwise());
            }
            default -> new Node.Value(whole());
        };
    }

    private Node condition() {
        boolean with = words.get(word++).equals("with");
        Term condition = whole();
        elementsAround += with ? 1 : 0;
        Node then = sequence();
        elementsAround -= with ? 1 : 0;
        return new Node.If(condition, then, otherwise(), with);
    }

    /** Parses what follows {@code else}, up to the end. */
    private Node otherwise() {
        String divider = action;
        if (divider.isEmpty()) {
            throw invalid("an action is not ended with {{end}}");
        }
        if (divider.equals("end")) {
            return new Node.Sequence(List.of());
        }
        if (divider.equals("else")) {
            Node other = sequence();
            if (!action.equals("end")) {
                throw invalid("an else is not ended with {{end}}");
            }
            return other;
        }
        action = divider.substring("else".length()).strip();
        words = words(action);
        word = 0;
        if (words.isEmpty() || !words.getFirst().equals("if")) {
            throw invalid("{{" + divider + "}} is no condition");
        }
        return condition();
    }

    private List<String> words(String source) {
        List<String> found = new ArrayList<>();
        Matcher matcher = WORD.matcher(source);
        int at = 0;
        while (at < source.length() && !source.substring(at).isBlank()) {
            matcher.region(at, source.length());
            if (!matcher.lookingAt()) {
                throw invalid("{{" + source + "}} cannot be read from \""
                        + source.substring(at).strip() + "\" on");
            }
            found.add(source.substring(at, matcher.end()).strip());
            at = matcher.end();
        }
        return found;
    }

    private Term whole() {
        Term term = pipeline();
        if (word < words.size()) {
            throw invalid("\"" + words.get(word) + "\" is not expected in {{" + action + "}}");
        }
        return term;
    }

    private Term pipeline() {
        Term value = command(null);
        while (word < words.size() && words.get(word).equals("|")) {
            word++;
            value = command(value);
        }
        return value;
    }

    /** Parses a call or a value; {@code piped} becomes the last argument of a call. */
    private Term command(@Nullable Term piped) {
        String first = word < words.size() ? words.get(word) : "";
        if (!Functions.exists(first)) {
            if (piped != null) {
                throw invalid("\"" + first + "\" after | is no function; there are " + Functions.names());
            }
            return operand();
        }
        word++;
        List<Term> arguments = new ArrayList<>();
        while (word < words.size()
                && !words.get(word).equals("|")
                && !words.get(word).equals(")")) {
            arguments.add(operand());
        }
        if (piped != null) {
            arguments.add(piped);
        }
        if (!Functions.takes(first, arguments.size())) {
            throw invalid(first + " does not take " + arguments.size() + " arguments in {{" + action + "}}");
        }
        return new Term.Call(first, arguments);
    }

    private Term operand() {
        if (word >= words.size()) {
            throw invalid("a value is missing in {{" + action + "}}");
        }
        String current = words.get(word++);
        char c = current.charAt(0);
        if (c == '"') {
            return new Term.Constant(JsonValue.of(current));
        }
        if (c == '`') {
            return new Term.Constant(JsonValue.ofString(current.substring(1, current.length() - 1)));
        }
        if (c == '-' || Character.isDigit(c)) {
            return new Term.Constant(JsonValue.of(current));
        }
        return switch (current) {
            case "true" -> new Term.Constant(JsonValue.TRUE);
            case "false" -> new Term.Constant(JsonValue.FALSE);
            case "nil" -> new Term.Constant(JsonValue.NULL);
            case "." -> new Term.Dot();
            case "(" -> parenthesis();
            default -> field(current);
        };
    }

    private Term parenthesis() {
        if (++depth > DEPTH_MAX) {
            throw invalid("its actions are nested deeper than " + DEPTH_MAX + " levels");
        }
        Term inner = pipeline();
        if (word >= words.size() || !words.get(word++).equals(")")) {
            throw invalid("a parenthesis is not closed in {{" + action + "}}");
        }
        depth--;
        return inner;
    }

    private Term field(String path) {
        if (path.charAt(0) != '.') {
            throw invalid("\"" + path + "\" is unknown in {{" + action + "}}; functions are " + Functions.names());
        }
        List<String> keys = List.of(path.substring(1).split("\\."));
        Term term = new Term.Dot();
        StringBuilder source = new StringBuilder();
        for (String key : keys) {
            source.append('.').append(key);
            boolean data = term instanceof Term.Dot && elementsAround == 0;
            term = data
                    ? named(names.field(key).orElse(null), source.toString())
                    : new Term.Member(term, key, source.toString());
        }
        return term;
    }

    private Term named(@Nullable Expression expression, String name) {
        return new Term.Named(expression, name);
    }

    private TextInvalid invalid(String what) {
        return new TextInvalid(
                "The text " + JsonStrings.quote(text.length() > 80 ? text.substring(0, 80) + "…" : text)
                        + " is not a template: " + what + ".",
                "Correct the action; the characters {{ themselves are written {{\"{{\"}}.");
    }
}
