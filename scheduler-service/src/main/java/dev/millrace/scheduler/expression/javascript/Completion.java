package dev.millrace.scheduler.expression.javascript;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rewriter of scripts that end with an {@code if}. The value of such a script is that of the statement evaluated last.
 * The rewriter therefore lets each branch return the value of its last statement.
 */
final class Completion {
    private final List<Token> tokens;
    private final List<Integer> returns = new ArrayList<>();

    private Completion(List<Token> tokens) {
        this.tokens = tokens;
    }

    /**
     * Inserts the returns; empty if the script does not end with an {@code if}. Does not check the syntax, which the
     * parser does later.
     */
    static Optional<String> of(String source, List<Token> tokens) {
        Completion completion = new Completion(tokens);
        return completion.list(0, tokens.size()) ? Optional.of(completion.insert(source)) : Optional.empty();
    }

    private String insert(String source) {
        StringBuilder text = new StringBuilder(source);
        for (int i = returns.size() - 1; i >= 0; i--) {
            text.insert(returns.get(i), "return ");
        }
        return text.toString();
    }

    private boolean list(int from, int to) {
        int end = withoutSemicolons(from, to);
        return end == from || statement(lastStatement(from, end), end);
    }

    private int withoutSemicolons(int from, int to) {
        int end = to;
        while (end > from && tokens.get(end - 1).is(";")) {
            end--;
        }
        return end;
    }

    private int lastStatement(int from, int end) {
        int depth = tokens.get(from).depth();
        for (int i = end - 1; i >= from; i--) {
            boolean elseIf = i > from && tokens.get(i - 1).is("else");
            if (isAt(i, "if", depth) && !elseIf && endOf(i, end) == end) {
                return i;
            }
        }
        for (int i = end - 1; i > from; i--) {
            if (isAt(i - 1, ";", depth)) {
                return i;
            }
        }
        return from;
    }

    private boolean statement(int start, int to) {
        int end = withoutSemicolons(start, to);
        if (start >= end) {
            return true;
        }
        Token first = tokens.get(start);
        if (first.is("if")) {
            return branches(start, end);
        }
        if (first.is("{")) {
            return close(start, end) == end - 1 && list(start + 1, end - 1);
        }
        if (!first.is("throw") && !first.is("return")) {
            returns.add(first.start());
        }
        return true;
    }

    private boolean branches(int start, int end) {
        int branch = close(start + 1, end) + 1;
        if (branch >= end) {
            return false;
        }
        int branchEnd = endOf(branch, end);
        if (!statement(branch, branchEnd)) {
            return false;
        }
        return branchEnd == end || (tokens.get(branchEnd).is("else") && statement(branchEnd + 1, end));
    }

    /** Finds the end of the statement that begins at {@code start}. */
    private int endOf(int start, int end) {
        Token first = tokens.get(start);
        if (first.is("{")) {
            return close(start, end) + 1;
        }
        if (first.is("if")) {
            int branch = close(start + 1, end) + 1;
            int branchEnd = branch < end ? endOf(branch, end) : end;
            return branchEnd + 1 < end && tokens.get(branchEnd).is("else") ? endOf(branchEnd + 1, end) : branchEnd;
        }
        for (int i = start; i < end; i++) {
            if (isAt(i, ";", first.depth())) {
                return i + 1;
            }
            if (isAt(i, "else", first.depth())) {
                return i;
            }
        }
        return end;
    }

    /** Finds the bracket that closes {@code open}; {@code end} if there is none. */
    private int close(int open, int end) {
        for (int i = open + 1; i < end; i++) {
            Token token = tokens.get(i);
            if (token.depth() == tokens.get(open).depth() && (token.is(")") || token.is("}"))) {
                return i;
            }
        }
        return end;
    }

    private boolean isAt(int i, String word, int depth) {
        return tokens.get(i).depth() == depth && tokens.get(i).is(word);
    }
}
