package dev.millrace.scheduler.script;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.text.script.ScriptFiles;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Adds to a script the files that it imports, as they are at this moment: from those that come with it, and otherwise
 * from the deployed scripts. The version that is stored then is complete, whatever is deployed later.
 */
public final class ScriptImports {
    private final Scripts scripts;
    private final int bytesMax;

    /**
     * Creates the search.
     *
     * @param bytesMax maximum size of a script with its files, in bytes
     */
    public ScriptImports(Scripts scripts, int bytesMax) {
        this.scripts = scripts;
        this.bytesMax = bytesMax;
    }

    /**
     * The script with the files that it imports. They may exceed the limits, see {@link ScriptFileRules}.
     *
     * @param path of the script
     * @param given files that came with it, by path
     * @param isReadable whether the caller may read the deployed script at a path
     */
    public ScriptSource complete(
            Workspace workspace,
            String path,
            ScriptSource script,
            Map<String, String> given,
            Predicate<String> isReadable) {
        if (!ScriptPaths.isValid(path) || !ScriptPaths.fits(path, script.language())) {
            return script;
        }
        SortedMap<String, String> files = ScriptFiles.find(
                path,
                script.content(),
                bytesMax,
                ScriptFiles.Source.of(given),
                scripts.deployedFiles(workspace, isReadable));
        files.putAll(script.files());
        return new ScriptSource(script.language(), script.content(), new TreeMap<>(files));
    }
}
