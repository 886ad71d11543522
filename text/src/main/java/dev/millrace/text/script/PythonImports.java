package dev.millrace.text.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files that Python source may import. The search sees all imports, and takes some text for imports, for example in
 * documentation. The quantifiers are possessive, so that hostile text costs no more than its length.
 */
final class PythonImports {
    private static final Pattern IMPORT = Pattern.compile("(?m)(?:^|[;:])[ \\t]*+import[ \\t]++([^\\n;#]++)");
    private static final Pattern FROM = Pattern.compile(
            "(?m)(?:^|[;:])[ \\t]*+from(?=[ \\t.])[ \\t]*+(\\.*+)[ \\t]*+(?:(?!import\\b)([\\w.]++))?+[ \\t]*+\\bimport\\b[ \\t]*+"
                    + "(\\((?:[^)#]{1,200}+|#[^\\n]*+){0,100}+|[^\\n;#]*+)");
    private static final Pattern DOTTED = Pattern.compile("\\s*+(\\w++(?:\\.\\w++)*+)");
    private static final Pattern COMMENT = Pattern.compile("#[^\\n]*+");
    private static final Pattern CONTINUED = Pattern.compile("\\\\\\r?\\n");

    /** Folders in which workspaces keep all their scripts if they are made like Windmill's. */
    private static final Set<String> COMMON_FOLDERS = Set.of("f", "u");

    private final String file;
    private final String mainFolder;
    private final Set<Candidate> found;

    private PythonImports(String file, String mainFolder, Set<Candidate> found) {
        this.file = file;
        this.mainFolder = mainFolder;
        this.found = found;
    }

    /**
     * Adds the files that a source may import.
     *
     * @param mainFolder folder of the script, in which absolute imports are looked up before the root
     */
    static void addTo(Set<Candidate> found, String file, String mainFolder, String source) {
        new PythonImports(file, mainFolder, found)
                .scan(CONTINUED.matcher(source).replaceAll(" "));
    }

    private void scan(String source) {
        Matcher imports = IMPORT.matcher(source);
        while (imports.find() && !isFull()) {
            for (String module : names(imports.group(1))) {
                absolute(parts(module), List.of());
            }
        }
        Matcher froms = FROM.matcher(source);
        while (froms.find() && !isFull()) {
            List<String> module = parts(Optional.ofNullable(froms.group(2)).orElse(""));
            List<String> names = names(froms.group(3));
            if (froms.group(1).isEmpty()) {
                absolute(module, names);
            } else {
                relative(froms.group(1).length(), module, names);
            }
        }
    }

    /** Other folders may have the name of a package that the import means. */
    private boolean isInOwnOrCommonFolder(String path) {
        String top = path.substring(0, Math.max(0, path.indexOf('/')));
        return COMMON_FOLDERS.contains(top) || (!top.isEmpty() && (mainFolder + "/").startsWith(top + "/"));
    }

    private boolean isFull() {
        return found.size() >= ScriptFiles.CANDIDATES_MAX;
    }

    private static List<String> parts(String module) {
        return module.isEmpty() ? List.of() : List.of(module.split("\\.", -1));
    }

    /** The names in a list such as {@code (a as b, c)}. */
    private static List<String> names(String list) {
        List<String> names = new ArrayList<>();
        for (String item :
                COMMENT.matcher(list).replaceAll("").replace('(', ' ').split(",", -1)) {
            Matcher name = DOTTED.matcher(item);
            if (name.lookingAt()) {
                names.add(name.group(1));
            }
        }
        return names;
    }

    private void absolute(List<String> module, List<String> names) {
        if (module.isEmpty() || StandardModules.contains(module.get(0))) {
            return;
        }
        add(mainFolder, module, names, false);
        if (!mainFolder.isEmpty()) {
            add("", module, names, false);
        }
    }

    private void relative(int dots, List<String> module, List<String> names) {
        FilePaths.resolve(FilePaths.folder(file), "../".repeat(dots - 1)).ifPresent(package_ -> {
            // Python runs all packages above a module before the module.
            String above = "";
            for (String part : package_.split("/", -1)) {
                above = FilePaths.in(above, part);
                candidate(FilePaths.in(above, "__init__.py"), true, false);
            }
            add(package_, module, names, true);
        });
    }

    private void add(String base, List<String> module, List<String> names, boolean isRelative) {
        String place = base;
        boolean isBare = !isRelative;
        for (String part : module) {
            place = FilePaths.in(place, part);
            module(place, isRelative, isBare);
            isBare = false;
        }
        for (String name : names) {
            if (!name.contains(".")) {
                module(FilePaths.in(place, name), isRelative, false);
            }
        }
    }

    private void module(String place, boolean isRelative, boolean isBare) {
        candidate(place + "/__init__.py", isRelative, false);
        candidate(place + ".py", isRelative, isBare);
    }

    private void candidate(String path, boolean isRelative, boolean isBare) {
        if (!isFull() && !path.startsWith("/") && !path.contains("//")) {
            found.add(new Candidate(path, isRelative || isInOwnOrCommonFolder(path), isBare));
        }
    }
}
