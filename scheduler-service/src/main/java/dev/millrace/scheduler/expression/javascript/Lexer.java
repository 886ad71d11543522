package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.javascript.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Splitter of scripts into tokens. It knows enough of JavaScript to find names, strings and brackets, but does not
 * check the syntax. Throws {@link ScriptInvalid} if a bracket or quote is not closed.
 */
final class Lexer {
    private static final Set<String> BEFORE_OPERAND = Set.of(
            "return",
            "typeof",
            "case",
            "in",
            "of",
            "delete",
            "void",
            "throw",
            "new",
            "instanceof",
            "else",
            "do",
            "yield",
            "await");
    private static final List<String> LONG_PUNCTUATORS = List.of(
            ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=",
            "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**");

    private final String text;
    private int position;
    private @Nullable Token last;
    private boolean lineBreak;
    /** Open brackets; a backquote stands for a template literal, a dollar sign for an expression inside one. */
    private final Deque<Character> open = new ArrayDeque<>();

    Lexer(String text, int start) {
        this.text = text;
        this.position = start;
    }

    /** Returns all tokens of a script. */
    static List<Token> tokens(String text) {
        Lexer lexer = new Lexer(text, 0);
        List<Token> tokens = new ArrayList<>();
        for (Token token = lexer.next(); token != null; token = lexer.next()) {
            tokens.add(token);
        }
        if (!lexer.open.isEmpty()) {
            throw lexer.invalid("A bracket is not closed");
        }
        return tokens;
    }

    /** Finds two closing braces that close no bracket opened after {@code start}. */
    static Optional<Integer> endOfExpression(String text, int start) {
        Lexer lexer = new Lexer(text, start);
        try {
            while (true) {
                lexer.skipSpace();
                if (lexer.open.isEmpty() && lexer.at("}}")) {
                    return Optional.of(lexer.position);
                }
                if (lexer.next() == null) {
                    return Optional.empty();
                }
            }
        } catch (ScriptInvalid broken) {
            return Optional.empty();
        }
    }

    @Nullable Token next() {
        lineBreak = false;
        if (!open.isEmpty() && open.peek() == '`') {
            return templatePiece();
        }
        skipSpace();
        if (position >= text.length()) {
            return null;
        }
        char c = text.charAt(position);
        if (Character.isJavaIdentifierStart(c) || c == '#' || c == '\\') {
            return token(Kind.NAME, nameEnd());
        }
        if (Character.isDigit(c)
                || (c == '.' && position + 1 < text.length() && Character.isDigit(text.charAt(position + 1)))) {
            return token(Kind.NUMBER, nameEnd());
        }
        return switch (c) {
            case '"', '\'' -> token(Kind.STRING, stringEnd(c));
            case '`' -> {
                open.push('`');
                yield token(Kind.TEMPLATE, position + 1);
            }
            case '/' -> slash();
            default -> punctuator(c);
        };
    }

    private Token punctuator(char c) {
        int depth = open.size();
        switch (c) {
            case '(', '[', '{' -> {
                if (depth >= Limits.NESTING_MAX) {
                    throw invalid("More than " + Limits.NESTING_MAX + " brackets are open at once");
                }
                open.push(c);
            }
            case ')', ']', '}' -> {
                depth--;
                close(c);
            }
            default -> {
                for (String longer : LONG_PUNCTUATORS) {
                    if (at(longer) && !isConditional(longer)) {
                        return token(Kind.PUNCTUATOR, position + longer.length());
                    }
                }
            }
        }
        return token(Kind.PUNCTUATOR, position + 1, depth);
    }

    /** Whether the question mark of {@code a?.5:b} is a conditional operator. */
    private boolean isConditional(String punctuator) {
        return punctuator.equals("?.") && position + 2 < text.length() && Character.isDigit(text.charAt(position + 2));
    }

    private void close(char c) {
        char expected = c == ')' ? '(' : c == ']' ? '[' : '{';
        if (open.isEmpty() || (open.peek() != expected && !(c == '}' && open.peek() == '$'))) {
            throw invalid("\"" + c + "\" closes nothing");
        }
        open.pop();
    }

    /** Reads a piece of a template literal, up to an expression inside it or its end. */
    private Token templatePiece() {
        for (int i = position; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '`') {
                open.pop();
                return token(Kind.TEMPLATE, i + 1);
            } else if (c == '$' && text.startsWith("{", i + 1)) {
                int depth = open.size();
                open.push('$');
                return token(Kind.TEMPLATE, i + 2, depth);
            }
        }
        throw invalid("A template literal is not closed");
    }

    private Token slash() {
        if (isDivision()) {
            return token(Kind.PUNCTUATOR, position + (at("/=") ? 2 : 1));
        }
        boolean inClass = false;
        for (int i = position + 1; i < text.length() && !isLineBreak(text.charAt(i)); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '[') {
                inClass = true;
            } else if (c == ']') {
                inClass = false;
            } else if (c == '/' && !inClass) {
                int end = i + 1;
                while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
                    end++;
                }
                return token(Kind.REGEX, end);
            }
        }
        throw invalid("A regular expression is not closed");
    }

    private boolean isDivision() {
        Token before = last;
        if (before == null) {
            return false;
        }
        return switch (before.kind()) {
            case NAME -> !BEFORE_OPERAND.contains(before.text());
            case NUMBER, STRING, REGEX -> true;
            case TEMPLATE -> !before.text().endsWith("${");
            case PUNCTUATOR -> before.is(")") || before.is("]") || before.is("}") || before.is("++") || before.is("--");
        };
    }

    private int nameEnd() {
        int end = position + 1;
        while (end < text.length() && (Character.isJavaIdentifierPart(text.charAt(end)) || isFraction(end))) {
            end++;
        }
        return end;
    }

    private boolean isFraction(int at) {
        return text.charAt(at) == '.' && Character.isDigit(text.charAt(position)) && !text.startsWith("..", at);
    }

    private int stringEnd(char quote) {
        for (int i = position + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == quote) {
                return i + 1;
            } else if (c == '\n') {
                break;
            }
        }
        throw invalid("A string is not closed");
    }

    private void skipSpace() {
        while (position < text.length()) {
            char c = text.charAt(position);
            if (isLineBreak(c)) {
                lineBreak = true;
                position++;
            } else if (Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff') {
                position++;
            } else if (at("//")) {
                while (position < text.length() && !isLineBreak(text.charAt(position))) {
                    position++;
                }
            } else if (at("/*")) {
                int end = text.indexOf("*/", position + 2);
                if (end < 0) {
                    throw invalid("A comment is not closed");
                }
                lineBreak |= text.substring(position, end).indexOf('\n') >= 0;
                position = end + 2;
            } else {
                return;
            }
        }
    }

    private static boolean isLineBreak(char c) {
        return c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029';
    }

    private boolean at(String expected) {
        return text.startsWith(expected, position);
    }

    private Token token(Kind kind, int end) {
        return token(kind, end, open.size());
    }

    private Token token(Kind kind, int end, int depth) {
        Token token = new Token(kind, text.substring(position, end), position, end, lineBreak, depth);
        position = end;
        last = token;
        return token;
    }

    private ScriptInvalid invalid(String what) {
        return new ScriptInvalid(
                what + " in the expression \"" + Excerpt.of(text) + "\" ("
                        + Excerpt.place(text, Math.min(position, text.length())) + ").",
                "Correct the expression; it is read as JavaScript.");
    }
}
