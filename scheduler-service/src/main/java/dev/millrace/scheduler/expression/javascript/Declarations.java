package dev.millrace.scheduler.expression.javascript;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collector of the names that a script may declare: parameters, variables, functions and classes. If in doubt, it
 * includes a name.
 */
final class Declarations {
    private static final Set<String> VARIABLES = Set.of("let", "const", "var");
    private static final Set<String> NO_PARAMETERS = Set.of("if", "for", "while", "switch", "with");

    private final List<Token> tokens;
    private final Set<String> names = new HashSet<>();

    Declarations(List<Token> tokens) {
        this.tokens = tokens;
    }

    Set<String> names() {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.is("=>")) {
                parametersBefore(i);
            } else if (token.is("function") || token.is("class")) {
                add(i + 1);
            } else if (token.isName() && VARIABLES.contains(token.text())) {
                variables(i + 1);
            } else if (token.is("{") && i > 0 && tokens.get(i - 1).is(")")) {
                parametersOfFunction(i - 1);
            }
        }
        return names;
    }

    private void parametersBefore(int arrow) {
        if (arrow > 0 && tokens.get(arrow - 1).is(")")) {
            addAll(opening(arrow - 1), arrow - 1);
        } else {
            add(arrow - 1);
        }
    }

    /** Adds the names in the parentheses before a body, unless they contain a condition. */
    private void parametersOfFunction(int close) {
        int open = opening(close);
        boolean condition = open > 0
                && tokens.get(open - 1).isName()
                && NO_PARAMETERS.contains(tokens.get(open - 1).text());
        if (!condition) {
            addAll(open, close);
        }
    }

    private int opening(int close) {
        int depth = tokens.get(close).depth();
        int open = close - 1;
        while (open > 0 && !(tokens.get(open).is("(") && tokens.get(open).depth() == depth)) {
            open--;
        }
        return open;
    }

    /**
     * Adds the names of one declaration, including patterns. Within a pattern, it includes the names in default values
     * as well.
     */
    private void variables(int start) {
        int depth = start < tokens.size() ? tokens.get(start).depth() : 0;
        boolean initial = false;
        for (int i = start; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.depth() < depth || (token.depth() == depth && isEnd(token, initial))) {
                return;
            }
            if (token.depth() == depth && token.is("=")) {
                initial = true;
            } else if (token.depth() == depth && token.is(",")) {
                initial = false;
            } else if (!initial) {
                add(i);
            }
        }
    }

    private static boolean isEnd(Token token, boolean mayBreak) {
        return token.is(";")
                || token.is("of")
                || token.is("in")
                || (mayBreak && token.afterLineBreak() && token.isName());
    }

    private void addAll(int from, int to) {
        for (int i = from; i < to; i++) {
            add(i);
        }
    }

    private void add(int i) {
        if (i >= 0 && i < tokens.size() && tokens.get(i).isName()) {
            names.add(tokens.get(i).text());
        }
    }
}
