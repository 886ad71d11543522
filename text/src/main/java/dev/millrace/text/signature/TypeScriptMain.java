package dev.millrace.text.signature;

import dev.millrace.text.signature.MainParameters.Declared;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the parameters of {@code main} in TypeScript and JavaScript source: of an exported function at the beginning of a line, if
 * nothing else in the text looks like another one.
 */
final class TypeScriptMain {
    private static final Pattern MAIN =
            Pattern.compile("(?m)^export\\s{1,9}(?:async\\s{1,9})?function\\s{0,9}\\*?\\s{0,9}main\\s{0,9}\\(");

    private static final Pattern FUNCTION = Pattern.compile("\\bfunction\\s{0,9}\\*?\\s{0,9}main\\b");

    /** What may export another {@code main}, or a schema that reads the input before it. */
    private static final Pattern OTHER =
            Pattern.compile("\\b(?:const|let|var|class|as)\\s{1,9}main\\b|\\bmain\\s{0,9}=[^=]"
                    + "|[{,]\\s{0,99}main\\s{0,99}[,}]|\\bexport\\s{0,9}\\*|\\binputSchema\\b");

    private static final Pattern NAME = Pattern.compile("[\\p{L}$_][\\p{L}\\p{N}$_]*");

    private final String source;
    private final List<Declared> declared = new ArrayList<>();
    private int at;

    /** Text of the parameter in progress, up to its type or default. */
    private final StringBuilder name = new StringBuilder();

    private boolean isNamed;
    private boolean isOptional;
    private boolean hasDefault;
    private int brackets;
    private int angles;

    private TypeScriptMain(String source, int at) {
        this.source = source;
        this.at = at;
    }

    static Optional<MainParameters> parameters(String source) {
        Matcher main = MAIN.matcher(source);
        boolean isCertain = main.find()
                && FUNCTION.matcher(source).results().limit(2).count() == 1
                && !OTHER.matcher(source).find();
        if (!isCertain) {
            return Optional.empty();
        }
        TypeScriptMain reading = new TypeScriptMain(source, main.end());
        return reading.list() ? MainParameters.of(reading.declared, false) : Optional.empty();
    }

    /** Reads the list behind its parenthesis. Returns whether it could be read. */
    private boolean list() {
        while (at < source.length()) {
            char next = source.charAt(at);
            boolean isOuter = brackets == 0 && angles == 0;
            if (isOuter && (next == ',' || next == ')')) {
                if (!end(next == ')')) {
                    return false;
                }
                if (next == ')') {
                    return true;
                }
                at++;
            } else if (!part(next, isOuter)) {
                return false;
            }
        }
        return false;
    }

    /** Reads one part of a parameter. Returns whether it could be read. */
    private boolean part(char next, boolean isOuter) {
        switch (next) {
            case '"', '\'' -> {
                return string(next);
            }
            case '`' -> {
                return false;
            }
            case '/' -> {
                return comment();
            }
            case '<', '>' -> {
                angles += next == '<' ? 1 : -1;
                if (hasDefault || angles < 0) {
                    return false;
                }
            }
            case '=' -> {
                if (source.startsWith("=>", at)) {
                    at += 2;
                    return true;
                }
                hasDefault |= isOuter;
                isNamed |= isOuter;
            }
            case '(', '[', '{' -> {
                brackets++;
                if (!isNamed) {
                    return false;
                }
            }
            case ')', ']', '}' -> brackets--;
            case '?', ':' -> {
                isOptional |= next == '?' && isOuter && !isNamed;
                isNamed |= isOuter;
            }
            default -> {
                if (!isNamed) {
                    name.append(next);
                }
            }
        }
        at++;
        return brackets >= 0;
    }

    /** Ends a parameter; a comma may stand behind the last one. */
    private boolean end(boolean isLast) {
        String read = name.toString().strip();
        if (read.isEmpty() && !isNamed) {
            return isLast;
        }
        if (!NAME.matcher(read).matches() || read.equals("this")) {
            return false;
        }
        declared.add(new Declared(read, !isOptional && !hasDefault));
        name.setLength(0);
        isNamed = false;
        isOptional = false;
        hasDefault = false;
        return true;
    }

    private boolean string(char quote) {
        for (at++; at < source.length() && source.charAt(at) != '\n'; at++) {
            if (source.charAt(at) == '\\') {
                at++;
            } else if (source.charAt(at) == quote) {
                at++;
                return isNamed;
            }
        }
        return false;
    }

    private boolean comment() {
        String closing = source.startsWith("//", at) ? "\n" : source.startsWith("/*", at) ? "*/" : "";
        int end = closing.isEmpty() ? -1 : source.indexOf(closing, at + 2);
        at = end + closing.length();
        return end >= 0;
    }
}
