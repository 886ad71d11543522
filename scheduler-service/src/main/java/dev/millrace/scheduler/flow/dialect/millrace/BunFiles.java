package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.script.ScriptPaths;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Files for Bun whose ending does not tell their language, which another dialect did. In this dialect they have the ending
 * of Bun.
 *
 * @param paths new paths by old ones
 * @param contents by new path
 */
record BunFiles(Map<String, String> paths, Map<String, String> contents) {
    private static final String ENDING = ".bun.ts";

    BunFiles {
        paths = Map.copyOf(paths);
        contents = Map.copyOf(contents);
    }

    /** @param files contents of files that come with the flow, by path */
    static BunFiles of(Compilation.Compiled compiled, Map<String, String> files) {
        Map<String, String> paths = new LinkedHashMap<>();
        Map<String, String> contents = new LinkedHashMap<>();
        for (String path : compiled.bunIfNeeded()) {
            String content = files.get(path);
            String renamed = path.replaceFirst("\\.m?[jt]s$", "") + ENDING;
            if (content != null
                    && ScriptPaths.languageOf(path).filter(Language.BUN::equals).isEmpty()
                    && compiled.languageOf(path, content)
                            .filter(Language.BUN::equals)
                            .isPresent()
                    && !files.containsKey(renamed)) {
                paths.put(path, renamed);
                contents.put(renamed, content);
            }
        }
        return new BunFiles(paths, contents);
    }

    String pathOf(String path) {
        return paths.getOrDefault(path, path);
    }
}
