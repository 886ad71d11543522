package dev.millrace.text.script;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A module that Python will look for in a folder or file that belongs to the script and does not have it. A package of an index
 * whose name is the same is not installed, since the name is taken.
 *
 * @param file in which the import is
 * @param line of the import, from 1
 * @param module with all parts that the import names, such as {@code redis.asyncio}
 * @param taken path of the folder or file that has the first part of the name
 */
public record MissingModule(String file, int line, String module, String taken) {
    private static final String ENDING = ".py";
    private static final String DOTTED = "([A-Za-z_]\\w*+(?:\\.[A-Za-z_]\\w*+)++)";
    private static final Pattern IMPORT = Pattern.compile("[ \\t]*+import[ \\t]++" + DOTTED + "(?![\\w.]).*+");
    private static final Pattern FROM = Pattern.compile("[ \\t]*+from[ \\t]++" + DOTTED + "[ \\t]++import\\b.*+");

    /**
     * Finds the modules that a script and its files miss. Imports right below a {@code try:} may fail, so they do not count.
     *
     * @param main path of the script
     * @param content its text
     * @param files texts of the files that belong to it, by path
     */
    public static List<MissingModule> of(String main, String content, Map<String, String> files) {
        if (!main.endsWith(ENDING)) {
            return List.of();
        }
        Map<String, String> sources = new TreeMap<>(files);
        sources.put(main, content);
        sources.keySet().removeIf(path -> !path.endsWith(ENDING));
        Set<String> bases = new LinkedHashSet<>(List.of(FilePaths.folder(main), ""));
        List<MissingModule> missing = new ArrayList<>();
        sources.forEach((path, source) -> {
            String before = "";
            int number = 0;
            for (String line : source.lines().toList()) {
                number++;
                for (Matcher imported : List.of(IMPORT.matcher(line), FROM.matcher(line))) {
                    if (imported.matches() && !before.equals("try:")) {
                        String module = imported.group(1);
                        String taken = taken(module, bases, sources);
                        if (!taken.isEmpty()) {
                            missing.add(new MissingModule(path, number, module, taken));
                        }
                    }
                }
                before = line.isBlank() ? before : line.strip();
            }
        });
        return missing;
    }

    /** What has the first part of the name, if nothing has the others; empty if the module is there or is no file of ours. */
    private static String taken(String module, Set<String> bases, Map<String, String> sources) {
        String head = module.substring(0, module.indexOf('.'));
        if (StandardModules.contains(head)
                || bases.stream().anyMatch(base -> isThere(FilePaths.in(base, module.replace('.', '/')), sources))) {
            return "";
        }
        return bases.stream()
                .map(base -> FilePaths.in(base, head))
                .flatMap(place -> Stream.of(place + "/", place + ENDING))
                .filter(place -> place.endsWith("/")
                        ? sources.keySet().stream().anyMatch(path -> path.startsWith(place))
                        : sources.containsKey(place) && !PythonModule.importsItself(place, sources.get(place)))
                .findFirst()
                .orElse("");
    }

    private static boolean isThere(String place, Map<String, String> sources) {
        return sources.containsKey(place + ENDING)
                || sources.keySet().stream().anyMatch(path -> path.startsWith(place + "/"));
    }

    /** What is wrong, and what to do, for people. */
    public String sentence() {
        String head = module.substring(0, module.indexOf('.'));
        return "No file has the module " + module + ", although " + taken + " belongs to the script: a package " + head
                + " of an index is not installed beside it. Correct the import, or rename " + taken
                + " if the package is meant.";
    }
}
