package dev.millrace.scheduler.expression.javascript;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Analysis of the names that a script reads, and how much of each. If in doubt, it assumes more reads. */
final class SourceScan {
    private static final Set<String> ASYNCHRONOUS = Set.of("async", "await", "import");

    private final List<Token> tokens;
    private final Names names;
    private final Map<String, Usage> used = new LinkedHashMap<>();
    private final Set<String> declared;

    SourceScan(List<Token> tokens, Names names) {
        this.tokens = tokens;
        this.names = names;
        this.declared = new Declarations(tokens).names();
    }

    /** Returns how much is read of each name, without names that are not read. */
    Map<String, Usage> used() {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.isName() && !isMember(i) && !isKey(i)) {
                if (ASYNCHRONOUS.contains(token.text())) {
                    throw new ScriptInvalid(
                            "The expression uses \"" + token.text()
                                    + "\", but expressions are not asynchronous and load nothing.",
                            "Compute it without, or in a step of its own.");
                }
                if (names.find(token.text()).isPresent()) {
                    follow(i, used.computeIfAbsent(token.text(), _ -> new Usage()));
                }
            }
        }
        return used;
    }

    /** Names that the script also declares somewhere, so that a use may mean its own declaration. */
    Set<String> declared() {
        Set<String> both = new HashSet<>(declared);
        both.retainAll(names.bindings().keySet());
        return both;
    }

    private boolean isMember(int i) {
        return i > 0 && (tokens.get(i - 1).is(".") || tokens.get(i - 1).is("?."));
    }

    private boolean isKey(int i) {
        return at(i + 1, ":") && (at(i - 1, "{") || at(i - 1, ","));
    }

    /** Records the members that follow a name. */
    private void follow(int name, Usage start) {
        Usage usage = start;
        int i = name + 1;
        while (true) {
            Usage holder = usage;
            if (!at(i, "?.")) {
                holder.need();
            }
            if ((at(i, ".") || at(i, "?."))
                    && i + 1 < tokens.size()
                    && tokens.get(i + 1).isName()) {
                if (isCall(i + 2)) {
                    holder.readWhole();
                    return;
                }
                usage = holder.readMember(tokens.get(i + 1).text());
                i += 2;
            } else {
                int bracket = at(i, "?.") ? i + 1 : i;
                if (!at(bracket, "[") || !isPlainString(bracket + 1) || !at(bracket + 2, "]") || isCall(bracket + 3)) {
                    holder.readWhole();
                    return;
                }
                String quoted = tokens.get(bracket + 1).text();
                usage = holder.readMember(quoted.substring(1, quoted.length() - 1));
                i = bracket + 3;
            }
        }
    }

    private boolean isPlainString(int i) {
        return i < tokens.size()
                && tokens.get(i).kind() == Token.Kind.STRING
                && tokens.get(i).text().indexOf('\\') < 0;
    }

    private boolean isCall(int i) {
        return at(i, "(")
                || (at(i, "?.") && at(i + 1, "("))
                || (i < tokens.size() && tokens.get(i).kind() == Token.Kind.TEMPLATE);
    }

    private boolean at(int i, String expected) {
        return i >= 0 && i < tokens.size() && tokens.get(i).is(expected);
    }
}
