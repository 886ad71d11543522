package dev.millrace.text.signature;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names that a script's {@code main} takes, read from its text alone.
 *
 * <p>A worker reads signatures better, with their types, but only once a version is stored. Until then, this is what is
 * certain: a text that leaves a doubt has no parameters at all.
 *
 * @param names all names, in the order of the declaration; the context of the job is not among them
 * @param required the names without a default
 * @param isOpen whether {@code main} takes further names
 */
public record MainParameters(List<String> names, Set<String> required, boolean isOpen) {
    /** Maximum number of characters of a script that is read: whoever validates a definition waits for it. */
    static final int SOURCE_CHARS_MAX = 256 * 1024;

    private static final String CONTEXT = "ctx";
    private static final String WHOLE_INPUT = "input";

    public MainParameters {
        names = List.copyOf(names);
        required = Set.copyOf(required);
    }

    /** Reads a script in Python; empty if its text leaves a doubt about what {@code main} takes by name. */
    public static Optional<MainParameters> ofPython(String source) {
        return source.length() > SOURCE_CHARS_MAX ? Optional.empty() : PythonMain.parameters(source);
    }

    /** Reads a script in TypeScript or JavaScript; empty if its text leaves a doubt about what {@code main} takes by name. */
    public static Optional<MainParameters> ofTypeScript(String source) {
        return source.length() > SOURCE_CHARS_MAX ? Optional.empty() : TypeScriptMain.parameters(source);
    }

    /** A parameter as it is declared. */
    record Declared(String name, boolean isRequired) {}

    /** The parameters of a declaration; empty if a single one receives the whole input. */
    static Optional<MainParameters> of(List<Declared> declared, boolean isOpen) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> required = new LinkedHashSet<>();
        for (Declared parameter : declared) {
            if (!parameter.name().equals(CONTEXT)) {
                names.add(parameter.name());
                if (parameter.isRequired()) {
                    required.add(parameter.name());
                }
            }
        }
        boolean isWhole = !isOpen && names.equals(Set.of(WHOLE_INPUT));
        return isWhole ? Optional.empty() : Optional.of(new MainParameters(List.copyOf(names), required, isOpen));
    }
}
