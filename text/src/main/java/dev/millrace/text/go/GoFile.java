package dev.millrace.text.go;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The declarations of a source that tell what its {@code main} takes.
 *
 * @param imports paths of packages by the names that the source uses
 * @param types declared types by their names
 * @param readers names of types that may have a method with which they read JSON themselves
 * @param parameters what stands between the parentheses of {@code main}
 */
record GoFile(Map<String, String> imports, Map<String, Type> types, Set<String> readers, List<GoToken> parameters) {
    /**
     * A declared type.
     *
     * @param isAlias whether it is another name of the same type
     * @param tokens what the name stands for
     */
    record Type(boolean isAlias, List<GoToken> tokens) {}

    private static final String MAIN = "main";

    /** Reads a source; empty if it has no {@code main} whose parameters an input fills. */
    static Optional<GoFile> read(String source) {
        Reader reader = new Reader(new GoTokens(GoToken.of(source)));
        return reader.read();
    }

    private static final class Reader {
        private final GoTokens tokens;
        private final Map<String, String> imports = new HashMap<>();
        private final Map<String, Type> types = new HashMap<>();
        private final Set<String> readers = new HashSet<>();
        private final List<List<GoToken>> mains = new ArrayList<>();

        Reader(GoTokens tokens) {
            this.tokens = tokens;
        }

        Optional<GoFile> read() {
            if (!tokens.takes("package") || tokens.next().is(MAIN)) {
                return Optional.empty();
            }
            while (!tokens.isAtEnd()) {
                declaration();
            }
            // What is done to another name of a type is done to the type.
            types.forEach((name, type) -> {
                if (type.isAlias() && readers.contains(name)) {
                    noteReaders(type.tokens());
                }
            });
            return mains.size() == 1
                    ? Optional.of(new GoFile(imports, types, readers, mains.get(0)))
                    : Optional.empty();
        }

        private void declaration() {
            if (tokens.takes("import")) {
                each(this::importOne);
            } else if (tokens.takes("type")) {
                each(this::typeOne);
            } else if (tokens.takes("func")) {
                function();
            } else if (isOpening(tokens.here())) {
                tokens.inside();
            } else {
                tokens.next();
            }
        }

        private interface One {
            void read(GoTokens tokens);
        }

        /** Reads what follows a keyword: one declaration, or several in parentheses. */
        private void each(One one) {
            if (!tokens.here().is("(")) {
                one.read(tokens);
                return;
            }
            GoTokens group = new GoTokens(tokens.inside());
            while (!group.isAtEnd()) {
                if (!group.takes(";")) {
                    one.read(group);
                }
            }
        }

        private void importOne(GoTokens here) {
            GoToken first = here.next();
            String path = first.kind() == GoToken.Kind.TEXT
                    ? first.text()
                    : here.next().text();
            if (path.length() < 2) {
                return;
            }
            String plain = path.substring(1, path.length() - 1);
            String name = first.isWord() ? first.text() : plain.substring(plain.lastIndexOf('/') + 1);
            imports.put(name, plain);
        }

        private void typeOne(GoTokens here) {
            String name = here.next().text();
            boolean isAlias = here.takes("=");
            List<GoToken> declared = new ArrayList<>();
            while (!here.isAtEnd() && !here.here().is(";")) {
                if (isOpening(here.here())) {
                    GoToken opening = here.here();
                    declared.add(opening);
                    declared.addAll(here.inside());
                    declared.add(closing(opening));
                } else {
                    declared.add(here.next());
                }
            }
            types.put(name, new Type(isAlias, declared));
        }

        private void function() {
            if (tokens.here().is("(")) {
                List<GoToken> receiver = tokens.inside();
                // A function without a name has its body here.
                if (tokens.here().isWord() && tokens.next().text().startsWith("Unmarshal")) {
                    noteReaders(receiver);
                }
            } else if (tokens.here().is(MAIN) && tokens.ahead(1).is("(")) {
                tokens.next();
                mains.add(tokens.inside());
            }
        }

        private void noteReaders(List<GoToken> names) {
            names.stream().filter(GoToken::isWord).map(GoToken::text).forEach(readers::add);
        }

        private static boolean isOpening(GoToken token) {
            return token.is("(") || token.is("[") || token.is("{");
        }

        private static GoToken closing(GoToken opening) {
            String text = opening.is("(") ? ")" : opening.is("[") ? "]" : "}";
            return new GoToken(GoToken.Kind.SIGN, text);
        }
    }
}
