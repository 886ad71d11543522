package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Arguments;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.Functions;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parser of scripts that call {@link Functions}. It removes each call from the script, which reads its value under a
 * new name instead: {@code text.join(item, "!").length} becomes {@code $call0.length}.
 */
final class CallReader {
    private static final String NAME = "$call";

    private final String source;
    private final List<Token> tokens;
    private final Map<String, Functions> families;
    private final MillraceLanguage language;
    private final Names names;

    CallReader(String source, Map<String, Functions> families, MillraceLanguage language, Names names) {
        this.source = source;
        this.tokens = Lexer.tokens(source);
        this.families = families;
        this.language = language;
        this.names = names;
    }

    ExpressionReading read() {
        Map<String, Binding> bindings = new LinkedHashMap<>(names.bindings());
        StringBuilder script = new StringBuilder();
        int written = 0;
        for (int i = 0; i < tokens.size(); i++) {
            if (isCall(i)) {
                int close = close(i + 3);
                Expression call = call(i, close);
                if (i == 0 && close == tokens.size() - 1) {
                    return new ExpressionReading.Read(call);
                }
                String name = NAME + (bindings.size() - names.bindings().size());
                bindings.put(name, new Binding.Value(call));
                script.append(source, written, tokens.get(i).start()).append(name);
                written = tokens.get(close).end();
                i = close;
            }
        }
        script.append(source.substring(written));
        return JavaScript.read(script.toString(), new Names(bindings));
    }

    private boolean isCall(int i) {
        return families.containsKey(tokens.get(i).text())
                && tokens.get(i).isName()
                && (i == 0 || !(tokens.get(i - 1).is(".") || tokens.get(i - 1).is("?.")))
                && i + 3 < tokens.size()
                && tokens.get(i + 1).is(".")
                && tokens.get(i + 2).isName()
                && tokens.get(i + 3).is("(");
    }

    private int close(int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            depth += change(tokens.get(i));
            if (depth == 0) {
                return i;
            }
        }
        throw new IllegalStateException("brackets are matched by the lexer");
    }

    private static int change(Token token) {
        if (token.kind() != Token.Kind.PUNCTUATOR) {
            return 0;
        }
        return switch (token.text()) {
            case "(", "[", "{" -> 1;
            case ")", "]", "}" -> -1;
            default -> 0;
        };
    }

    private Expression call(int family, int close) {
        String called = tokens.get(family).text() + "." + tokens.get(family + 2).text();
        List<Template> arguments = new ArrayList<>();
        for (Part part : parts(family + 4, close)) {
            arguments.add(argument(part));
        }
        try {
            return Optional.ofNullable(families.get(tokens.get(family).text()))
                    .flatMap(functions -> functions.call(tokens.get(family + 2).text(), new Arguments(arguments)))
                    .orElseThrow(() ->
                            new ScriptInvalid("There is no function " + called + ".", "Use one of the reference's."));
        } catch (IllegalArgumentException wrong) {
            throw new ScriptInvalid(
                    "The call of " + called + " is not understood. " + wrong.getMessage(), "Correct the arguments.");
        }
    }

    /** A range of tokens between commas. */
    private record Part(int from, int to) {}

    private List<Part> parts(int from, int to) {
        List<Part> parts = new ArrayList<>();
        int depth = 0;
        int start = from;
        for (int i = from; i < to; i++) {
            depth += change(tokens.get(i));
            if (depth == 0 && tokens.get(i).is(",")) {
                parts.add(new Part(start, i));
                start = i + 1;
            }
        }
        if (start < to) {
            parts.add(new Part(start, to));
        }
        return parts;
    }

    private Template argument(Part part) {
        if (part.from() >= part.to()) {
            throw new ScriptInvalid(
                    "The expression \"" + Excerpt.of(source) + "\" has two commas in a row.", "Remove one.");
        }
        Token first = tokens.get(part.from());
        boolean enclosed =
                first.kind() == Token.Kind.PUNCTUATOR && change(first) > 0 && close(part.from()) == part.to() - 1;
        if (enclosed && first.is("{")) {
            Map<String, Template> members = new LinkedHashMap<>();
            parts(part.from() + 1, part.to() - 1).forEach(member -> member(member, members));
            return Template.object(members);
        }
        if (enclosed && first.is("[")) {
            return Template.array(parts(part.from() + 1, part.to() - 1).stream()
                    .map(this::argument)
                    .toList());
        }
        String text = source.substring(first.start(), tokens.get(part.to() - 1).end());
        return constant(part, text).<Template>map(Template.Constant::new).orElseGet(() -> expression(text));
    }

    private void member(Part part, Map<String, Template> members) {
        Token key = tokens.get(part.from());
        boolean named = key.isName() || key.text().startsWith("\"");
        if (!named
                || part.to() - part.from() < 3
                || !tokens.get(part.from() + 1).is(":")) {
            throw new ScriptInvalid(
                    "The expression \"" + Excerpt.of(source) + "\" has an object whose members are not understood.",
                    "Write {\"key\": value, …}.");
        }
        String name = key.isName() ? key.text() : JsonValue.of(key.text()).string();
        members.put(name, argument(new Part(part.from() + 2, part.to())));
    }

    private Optional<JsonValue> constant(Part part, String text) {
        Token last = tokens.get(part.to() - 1);
        int words = part.to() - part.from();
        boolean negative = words == 2 && tokens.get(part.from()).is("-");
        return switch (last.kind()) {
            case STRING -> words == 1 && text.startsWith("\"") ? Optional.of(JsonValue.of(text)) : Optional.empty();
            case NUMBER -> words == 1 || negative ? Optional.of(JsonValue.of(text)) : Optional.empty();
            case NAME ->
                words == 1 && (last.is("true") || last.is("false") || last.is("null"))
                        ? Optional.of(JsonValue.of(text))
                        : Optional.empty();
            case TEMPLATE, REGEX, PUNCTUATOR -> Optional.empty();
        };
    }

    private Template expression(String text) {
        return switch (Template.read("${{ " + text + "\n}}", language)) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable ->
                throw new ScriptInvalid(unreadable.message(), unreadable.remedy());
        };
    }
}
