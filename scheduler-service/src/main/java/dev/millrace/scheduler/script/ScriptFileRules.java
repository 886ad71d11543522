package dev.millrace.scheduler.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.error.Violations;
import dev.millrace.text.script.FilePaths;
import dev.millrace.text.script.ScriptFiles;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rules for the files of a version, so that every worker can store them: on file systems that ignore case, too, and
 * without a file that takes the place of another or of Millrace's own module.
 */
public final class ScriptFileRules {
    private static final String OWN_MODULE = "millrace";

    private final String path;
    private final ScriptSource source;
    private final Violations violations;

    private ScriptFileRules(String path, ScriptSource source, Violations violations) {
        this.path = path;
        this.source = source;
        this.violations = violations;
    }

    /**
     * Checks the files of a version.
     *
     * @param path of the script
     * @param bytesMax maximum size of the script with its files, in bytes
     */
    public static void check(String path, ScriptSource source, int bytesMax, Violations violations) {
        if (!source.files().isEmpty()) {
            new ScriptFileRules(path, source, violations).check(bytesMax);
        }
    }

    private void check(int bytesMax) {
        violations.require(
                ScriptPaths.languageOf(path).isEmpty() || ScriptPaths.fits(path, source.language()),
                "path",
                "\"" + path + "\" (expected: the ending of its language, since the script has files)");
        violations.require(
                source.files().size() <= ScriptFiles.COUNT_MAX,
                "files",
                "more than " + ScriptFiles.COUNT_MAX + " files (expected: at most " + ScriptFiles.COUNT_MAX
                        + " files of one script)");
        long bytes = source.content().getBytes(UTF_8).length;
        for (String text : source.files().values()) {
            bytes += text.getBytes(UTF_8).length;
        }
        violations.require(
                bytes <= bytesMax,
                "files",
                "more than " + bytesMax + " bytes (expected: at most " + bytesMax + " in the script and its files)");
        source.files().keySet().forEach(this::checkName);
        checkPlaces();
    }

    private void checkName(String file) {
        if (!ScriptPaths.isValid(file)) {
            violations.add("files", "\"" + file + "\" (expected: " + ScriptPaths.EXPECTED + ")");
        }
        for (String folder : List.of("", FilePaths.folder(path))) {
            String own = FilePaths.in(folder, OWN_MODULE);
            violations.require(
                    !file.equals(own + ".py") && !file.startsWith(own + "/"),
                    "files",
                    "\"" + file + "\" has the name of Millrace's own module: rename it");
        }
    }

    /** No two files may have one place, and none may be the folder of another. */
    private void checkPlaces() {
        Set<String> places = new HashSet<>(List.of(place(path)));
        for (String file : source.files().keySet()) {
            violations.require(
                    places.add(place(file)),
                    "files",
                    "\"" + file + "\" has the path of another file, or differs from it in case only: rename it");
        }
        for (String file : places) {
            for (String folder = FilePaths.folder(file); !folder.isEmpty(); folder = FilePaths.folder(folder)) {
                violations.require(
                        !places.contains(folder), "files", "\"" + folder + "\" is a file and a folder: rename it");
            }
        }
    }

    private static String place(String file) {
        return file.toLowerCase(Locale.ROOT);
    }
}
