package dev.millrace.scheduler.packages;

import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.text.script.NpmImport;
import dev.millrace.text.script.ScriptLanguages;
import dev.millrace.text.script.WindmillHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Guesses from the name and the text of a script whether there is something to prepare. Only the worker knows, because it has the
 * interpreter: a wrong guess starts a run that finds nothing to do, or lets the first job choose.
 */
final class PackageHints {
    /** The line that begins metadata, as PEP 723 defines it. */
    private static final Pattern METADATA = Pattern.compile("(?m)^# /// script\\s*$");

    /** The first module that a line imports. */
    private static final Pattern IMPORT = Pattern.compile("(?m)^[ \\t]*(?:import|from)[ \\t]+([A-Za-z_]\\w*)");

    /** An import from a registry or an address, for Deno. */
    private static final Pattern REMOTE =
            Pattern.compile("(?:\\b(?:from|import)\\s*+\\(?+\\s*+|@deno-types=)[\"'](?:npm:|jsr:|https?://)");

    /** An annotation that turns the check of types off. */
    private static final Pattern UNCHECKED = Pattern.compile("(?m)^[ \\t]*//[ \\t]*millrace:.*\\bcheck=off\\b");

    /** Modules of the standard libraries from Python 3.10 on, and of the worker. */
    private static final Set<String> STANDARD = read();

    /** Beginning of the paths of scripts that stand in definitions, which have no ending. */
    private static final String INLINE = "inline:";

    private PackageHints() {}

    /** Whether a script has types that a worker is to check. */
    static boolean hasTypes(Language language, String path, String source) {
        return language.equals(Language.DENO)
                && (ScriptLanguages.isTypeScript(path) || path.startsWith(INLINE))
                && !UNCHECKED.matcher(source).find();
    }

    static boolean mayNeedPackages(Language language, String source) {
        if (language.equals(Language.PYTHON)) {
            return pythonMayNeedPackages(source);
        }
        if (language.equals(Language.BUN)) {
            return NpmImport.isIn(source);
        }
        return language.equals(Language.DENO) && REMOTE.matcher(source).find();
    }

    private static boolean pythonMayNeedPackages(String source) {
        if (METADATA.matcher(source).find() || WindmillHeader.of(source).namesPackages()) {
            return true;
        }
        Matcher imports = IMPORT.matcher(source);
        while (imports.find()) {
            if (!STANDARD.contains(imports.group(1)) && !imports.group(1).startsWith("_")) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> read() {
        try (InputStream in = PackageHints.class.getResourceAsStream("python-modules.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
