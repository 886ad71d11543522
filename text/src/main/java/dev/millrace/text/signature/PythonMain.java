package dev.millrace.text.signature;

import dev.millrace.text.signature.MainParameters.Declared;
import dev.millrace.text.signature.PythonTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the parameters of {@code main} in Python source: of a plain function that is defined once, at the top level, and
 * that nothing else in the text can replace.
 */
final class PythonMain {
    private static final String MAIN = "main";

    /** With these, a module can bind names that its text does not show. */
    private static final Set<String> BINDING = Set.of("globals", "exec", "eval", "setattr", "vars", "__dict__");

    private final List<Token> tokens;
    private final List<Declared> declared = new ArrayList<>();
    private boolean isOpen;

    private PythonMain(List<Token> tokens) {
        this.tokens = tokens;
    }

    static Optional<MainParameters> parameters(String source) {
        return PythonTokens.of(source).flatMap(tokens -> new PythonMain(tokens).read());
    }

    private Optional<MainParameters> read() {
        int definition = -1;
        int statement = -1;
        boolean isDecorated = false;
        for (int i = 0; i < tokens.size(); i++) {
            String text = tokens.get(i).text();
            if (tokens.get(i).beginsStatement()) {
                isDecorated = statement >= 0 && is(statement, "@");
                statement = i;
            }
            if (BINDING.contains(text) || (text.equals("*") && is(i - 1, "import"))) {
                return Optional.empty();
            }
            if (!text.equals(MAIN)) {
                continue;
            }
            if (is(i - 1, "def")) {
                boolean isPlain = statement == (is(i - 2, "async") ? i - 2 : i - 1) && !isDecorated;
                if (definition >= 0 || !isPlain) {
                    return Optional.empty();
                }
                definition = i;
            } else if (!is(i + 1, "(") || is(i - 1, "class")) {
                return Optional.empty();
            }
        }
        return definition >= 0 && is(definition + 1, "(") && list(definition + 2)
                ? MainParameters.of(declared, isOpen)
                : Optional.empty();
    }

    private boolean is(int index, String text) {
        return index >= 0 && index < tokens.size() && tokens.get(index).text().equals(text);
    }

    /** Reads the list behind its parenthesis. Returns whether it could be read. */
    private boolean list(int first) {
        int depth = 0;
        List<String> parameter = new ArrayList<>();
        boolean hasDefault = false;
        for (int i = first; i < tokens.size(); i++) {
            String text = tokens.get(i).text();
            if (text.equals("lambda")) {
                return false;
            }
            if (depth == 0 && (text.equals(",") || text.equals(")"))) {
                if (!add(parameter, hasDefault)) {
                    return false;
                }
                if (text.equals(")")) {
                    return true;
                }
                parameter.clear();
                hasDefault = false;
                continue;
            }
            depth += text.matches("[(\\[{]") ? 1 : text.matches("[)\\]}]") ? -1 : 0;
            hasDefault |= depth == 0 && text.equals("=");
            parameter.add(text);
        }
        return false;
    }

    private boolean add(List<String> parameter, boolean hasDefault) {
        if (parameter.isEmpty() || parameter.get(0).equals("/")) {
            return true;
        }
        if (parameter.get(0).equals("*")) {
            isOpen |= parameter.size() > 1 && parameter.get(1).equals("*");
            return true;
        }
        String name = parameter.get(0);
        declared.add(new Declared(name, !hasDefault));
        return Character.isUnicodeIdentifierStart(name.charAt(0)) || name.startsWith("_");
    }
}
