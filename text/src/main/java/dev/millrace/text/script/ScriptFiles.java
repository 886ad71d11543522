package dev.millrace.text.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the files that belong to a script: those that it imports, directly and through each other, and the file beside
 * it that lists its packages. The command line finds with it what to send, and the scheduler what to store.
 */
public final class ScriptFiles {
    /** Maximum number of files that one script has besides its own. */
    public static final int COUNT_MAX = 200;

    /** Maximum number of places at which the search looks for the imports of one file. It ignores further imports. */
    static final int CANDIDATES_MAX = 5_000;

    private static final Pattern METADATA = Pattern.compile("(?m)^# /// script\\s*$");
    private static final Pattern DEPENDENCIES = Pattern.compile("dependencies\\s*=.*");

    private final String main;
    private final int bytesMax;
    private final Source given;
    private final Source elsewhere;
    private final SortedMap<String, String> files = new TreeMap<>();
    private int bytes;

    /** A place with files. */
    public interface Source {
        /** No files. */
        Source NONE = of(Map.of());

        /** Files in memory, by path. */
        static Source of(Map<String, String> files) {
            return new Source() {
                @Override
                public Set<String> present(Collection<String> paths) {
                    return paths.stream().filter(files::containsKey).collect(Collectors.toSet());
                }

                @Override
                public String read(String path) {
                    return files.getOrDefault(path, "");
                }
            };
        }

        /** Which of these paths are files here. */
        Set<String> present(Collection<String> paths);

        /** Text of a file that is present. */
        String read(String path);
    }

    private ScriptFiles(String main, int bytesMax, Source given, Source elsewhere) {
        this.main = main;
        this.bytesMax = bytesMax;
        this.given = given;
        this.elsewhere = elsewhere;
    }

    /**
     * Finds the files of a script. The search ends early once it has found more than the limits allow, which the caller
     * checks.
     *
     * @param main path of the script, whose ending tells the language
     * @param content text of the script
     * @param bytesMax number of bytes after which the search ends
     * @param given files that come with the script
     * @param elsewhere files that count where no given one has their path, and only for imports that can mean nothing
     *     else
     * @return texts by path, without the script itself
     */
    public static SortedMap<String, String> find(
            String main, String content, int bytesMax, Source given, Source elsewhere) {
        ScriptFiles search = new ScriptFiles(main, bytesMax, given, elsewhere);
        search.follow(main, content);
        if (search.addLock()) {
            return search.files;
        }
        if (main.endsWith(".py") && !declaresPackages(content)) {
            search.addRequirements();
        } else if (main.endsWith(".go")) {
            search.addModuleFiles();
        }
        return search.files;
    }

    private void follow(String first, String content) {
        LinkedHashSet<String> unread = new LinkedHashSet<>(added(first, content));
        while (!unread.isEmpty() && isWithinLimits()) {
            String next = unread.iterator().next();
            unread.remove(next);
            unread.addAll(added(next, files.getOrDefault(next, "")));
        }
    }

    /** Adds the files that a file imports, and returns those that are new. */
    private Set<String> added(String file, String content) {
        Set<Candidate> candidates = new LinkedHashSet<>();
        if (file.endsWith(".py")) {
            PythonImports.addTo(candidates, file, FilePaths.folder(main), content);
        } else if (isJavaScript(file)) {
            DenoImports.addTo(candidates, file, content);
        }
        candidates.removeIf(candidate -> candidate.path().equals(main) || files.containsKey(candidate.path()));
        Set<String> here =
                given.present(candidates.stream().map(Candidate::path).toList());
        List<String> missing = candidates.stream()
                .filter(candidate -> candidate.isNamed() && !here.contains(candidate.path()))
                .map(Candidate::path)
                .distinct()
                .toList();
        Set<String> bare = candidates.stream()
                .filter(Candidate::isBare)
                .map(Candidate::path)
                .collect(Collectors.toCollection(TreeSet::new));
        candidates.stream()
                .filter(candidate -> !candidate.isBare())
                .forEach(candidate -> bare.remove(candidate.path()));
        Set<String> added = new TreeSet<>(add(given, here, bare));
        added.addAll(add(elsewhere, missing.isEmpty() ? Set.of() : elsewhere.present(missing), bare));
        return added;
    }

    /** @param bare those that are only meant if they do not import a package of their name */
    private Set<String> add(Source source, Set<String> present, Set<String> bare) {
        Set<String> added = new TreeSet<>();
        for (String path : new TreeSet<>(present)) {
            String text = isWithinLimits() ? source.read(path) : "";
            if (isWithinLimits() && !(bare.contains(path) && PythonModule.importsItself(path, text))) {
                put(path, text);
                added.add(path);
            }
        }
        return added;
    }

    private void put(String path, String text) {
        files.put(path, text);
        bytes += text.getBytes(UTF_8).length;
    }

    private boolean isWithinLimits() {
        return files.size() <= COUNT_MAX && bytes <= bytesMax;
    }

    /** Whether a file of Python lists its packages itself. */
    private static boolean declaresPackages(String source) {
        return METADATA.matcher(source).find() || WindmillHeader.listsPackages(source);
    }

    /** Adds the lock with which a script was exported from Windmill, which counts before all other lists. */
    private boolean addLock() {
        if (!main.endsWith(".py") && !main.endsWith(".ts")) {
            return false;
        }
        List<String> paths = WindmillLock.pathsFor(main);
        Set<String> present = given.present(paths);
        for (String path : paths) {
            String lock = present.contains(path) ? given.read(path) : "";
            if (WindmillLock.isFor(main, lock)) {
                put(WindmillLock.pathFor(main), lock);
                return true;
            }
        }
        return false;
    }

    private void addRequirements() {
        String requirements = FilePaths.in(FilePaths.folder(main), "requirements.txt");
        String project = FilePaths.in(FilePaths.folder(main), "pyproject.toml");
        Set<String> present = given.present(List.of(requirements, project));
        if (present.contains(requirements)) {
            put(requirements, given.read(requirements));
        } else if (present.contains(project)) {
            Optional.of(given.read(project))
                    .filter(ScriptFiles::listsDependencies)
                    .ifPresent(text -> put(project, text));
        }
    }

    /** Adds what chooses the versions of modules of Go: {@code go.sum} has no effect without {@code go.mod}. */
    private void addModuleFiles() {
        String mod = FilePaths.in(FilePaths.folder(main), "go.mod");
        String sum = FilePaths.in(FilePaths.folder(main), "go.sum");
        Set<String> present = given.present(List.of(mod, sum));
        if (present.contains(mod)) {
            add(given, present, Set.of());
        }
    }

    /** Whether a {@code pyproject.toml} lists packages; others only configure tools. */
    private static boolean listsDependencies(String project) {
        boolean isInProject = false;
        for (String line : project.lines().toList()) {
            if (line.startsWith("[")) {
                isInProject = line.strip().equals("[project]");
            } else if (isInProject && DEPENDENCIES.matcher(line).matches()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isJavaScript(String file) {
        return file.matches(".*\\.[mc]?[jt]sx?");
    }
}
