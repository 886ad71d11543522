package dev.millrace.scheduler.config;

import io.smallrye.config.source.yaml.YamlConfigSource;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Reads YAML text as settings. Errors show where it is wrong, but nothing of the text, in which there may be a secret. */
public final class YamlSettings {
    private YamlSettings() {}

    /**
     * Reads settings.
     *
     * @param name what errors call the text, such as the path of a file
     * @param ordinal precedence over other sources: the highest wins
     * @throws IllegalArgumentException if the text is no YAML, or holds something else than settings; the message is a
     *     full sentence
     */
    // The cause of invalid YAML is left out, because its message quotes the text.
    @SuppressWarnings("UnusedException")
    public static YamlConfigSource parse(String name, String text, int ordinal) {
        YamlConfigSource source;
        try {
            source = new YamlConfigSource(name, text, ordinal);
        } catch (RuntimeException malformed) {
            throw new IllegalArgumentException("The configuration in " + name + " is not valid YAML" + place(malformed)
                    + ". Quote values that begin with a special character, such as * or @.");
        }
        if (source.getPropertyNames().isEmpty() && hasContent(text)) {
            throw new IllegalArgumentException("The configuration in " + name
                    + " holds no settings (expected: lines such as \"lanes: 4\" under" + " \"millrace:\").");
        }
        return source;
    }

    private static boolean hasContent(String text) {
        return text.lines().map(String::strip).anyMatch(line -> !line.isEmpty() && !line.startsWith("#"));
    }

    private static String place(Throwable malformed) {
        for (Throwable cause = malformed; cause != null; cause = cause.getCause()) {
            if (cause instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
                return " at line " + (marked.getProblemMark().getLine() + 1) + ", column "
                        + (marked.getProblemMark().getColumn() + 1);
            }
        }
        return "";
    }
}
