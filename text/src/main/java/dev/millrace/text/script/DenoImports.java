package dev.millrace.text.script;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files that TypeScript or JavaScript may import, by a relative path or by one that begins at the root. */
final class DenoImports {
    private static final Pattern IMPORT =
            Pattern.compile("\\b(?:from|import)\\s*+\\(?+\\s*+[\"']((?:\\.{0,2}/)[^\"'\\x00-\\x1f?#]{1,256}+)");

    private DenoImports() {}

    /** Adds the files that a source may import. */
    static void addTo(Set<Candidate> found, String file, String source) {
        Matcher imports = IMPORT.matcher(source);
        while (imports.find() && found.size() < ScriptFiles.CANDIDATES_MAX) {
            String specifier = imports.group(1);
            FilePaths.resolve(specifier.startsWith("/") ? "" : FilePaths.folder(file), specifier)
                    .filter(path -> !path.isEmpty())
                    .ifPresent(path -> found.add(new Candidate(path, true, false)));
        }
    }
}
