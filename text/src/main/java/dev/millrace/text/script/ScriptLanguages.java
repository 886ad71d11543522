package dev.millrace.text.script;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The endings of scripts, and the names of the languages that they stand for. Other languages have to be named. */
public final class ScriptLanguages {
    private static final String DENO = "deno";
    private static final String BUN = "bun";
    private static final Pattern ASKS_FOR_BUN = Pattern.compile("//\\s*millrace:(?:.*\\s)?runtime=bun(?:\\s.*)?");

    private static final Map<String, String> BY_ENDING = byEnding();

    private ScriptLanguages() {}

    private static Map<String, String> byEnding() {
        Map<String, String> endings = new LinkedHashMap<>();
        endings.put(".py", "python");
        // Before the ending that it ends in.
        endings.put(".bun.ts", BUN);
        List.of(".ts", ".mts", ".js", ".mjs").forEach(ending -> endings.put(ending, DENO));
        endings.put(".sh", "bash");
        endings.put(".go", "go");
        // Before the ending that they end in.
        endings.put(".my.sql", "mysql");
        endings.put(".sqlite.sql", "sqlite");
        endings.put(".sql", "postgresql");
        return Collections.unmodifiableMap(endings);
    }

    /** All known endings, each with its dot. */
    public static Collection<String> endings() {
        return BY_ENDING.keySet();
    }

    /** The language of a file; empty if its ending stands for none. */
    public static Optional<String> of(String fileName) {
        return BY_ENDING.entrySet().stream()
                .filter(entry -> fileName.endsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** The language of a file whose text may choose between Deno and Bun; empty if its ending stands for none. */
    public static Optional<String> of(String fileName, String source) {
        return of(fileName).map(language -> chosenBy(language, source));
    }

    /** The language that a script is in: what is in {@code deno} may ask for Bun in the comments at its head. */
    public static String chosenBy(String language, String source) {
        return language.equals(DENO) && asksForBun(source) ? BUN : language;
    }

    private static boolean asksForBun(String source) {
        for (String line : (Iterable<String>) source.lines()::iterator) {
            String text = line.strip();
            if (ASKS_FOR_BUN.matcher(text).matches()) {
                return true;
            }
            if (!text.isEmpty() && !text.startsWith("//") && !text.startsWith("#!")) {
                return false;
            }
        }
        return false;
    }

    /** Whether a file may belong to a script in this language: Bun reads the files of Deno. */
    public static boolean fits(String fileName, String language) {
        return of(fileName)
                .filter(own -> own.equals(language) || (own.equals(DENO) && language.equals(BUN)))
                .isPresent();
    }

    /** Whether a file is in TypeScript: JavaScript, which is of the same language, declares no types. */
    public static boolean isTypeScript(String fileName) {
        return fileName.endsWith(".ts") || fileName.endsWith(".mts");
    }

    /** The ending of files of a language; empty for languages that have none here. */
    public static Optional<String> endingOf(String language) {
        return BY_ENDING.entrySet().stream()
                .filter(entry -> entry.getValue().equals(language))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The known endings in words, for messages: {@code .py, .ts or .js}. */
    public static String endingsInWords() {
        List<String> all = List.copyOf(BY_ENDING.keySet());
        return String.join(", ", all.subList(0, all.size() - 1)) + " or " + all.get(all.size() - 1);
    }
}
