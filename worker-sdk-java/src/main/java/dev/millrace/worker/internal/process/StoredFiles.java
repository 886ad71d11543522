package dev.millrace.worker.internal.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.millrace.proto.script.v1.ScriptFile;
import dev.millrace.text.script.ScriptFileName;
import dev.millrace.worker.internal.limit.ScriptAnnotation;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.python.PythonRequirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files of one version of a script. In the folder of the version they are either a single file, or a tree of files
 * and a note of which of them is the script.
 *
 * @param main path of the script
 * @param isTree whether there are further files
 * @param files contents by path below the folder or the tree
 */
record StoredFiles(String main, boolean isTree, SortedMap<String, byte[]> files) {
    private static final String TREE = "tree";
    private static final String MAIN = "main.txt";
    private static final String UNNAMED = "script";

    /** Largest number of files and folders of a tree; a folder with more was tampered with. */
    private static final int ENTRIES_MAX = 10_000;

    /**
     * The files of a version that the scheduler sent. The file of a script without further ones has an ending that its
     * runtime understands.
     */
    static StoredFiles of(ScriptRuntime runtime, dev.millrace.proto.script.v1.Script script) {
        SortedMap<String, byte[]> files = new TreeMap<>();
        boolean isTree = script.getFilesCount() > 0;
        String main = isTree ? script.getPath() : fileName(script.getPath(), runtime);
        for (ScriptFile file : script.getFilesList()) {
            files.put(file.getPath(), file.getContent().toByteArray());
        }
        files.put(main, script.getContent().toByteArray());
        files.keySet().forEach(StoredFiles::requireBelow);
        return new StoredFiles(main, isTree, files);
    }

    private static void requireBelow(String path) {
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..") || part.indexOf('\\') >= 0) {
                throw new LoadException(
                        "The version has a file \"" + path
                                + "\", which may lie outside of its folder: deploy it again.",
                        false);
            }
        }
    }

    private static String fileName(String path, ScriptRuntime runtime) {
        String name = path.isEmpty() ? UNNAMED : ScriptFileName.of(path);
        return runtime.hasEndingOf(name) ? name : name + runtime.fileEnding();
    }

    /** Whether these are the files of the version with this content address, if it is of this runtime. */
    boolean areOf(String hash, ScriptRuntime runtime) {
        return addresses(runtime).anyMatch(hash::equals);
    }

    /** Content address of the version, if it is of this runtime. */
    String hash(ScriptRuntime runtime) {
        return addresses(runtime).findFirst().orElseThrow();
    }

    /** All content addresses of these files: the path of the script may have had no ending, or not counted. */
    private Stream<String> addresses(ScriptRuntime runtime) {
        if (isTree) {
            return Stream.of(runtime.hash(main, files));
        }
        byte[] content = requireNonNull(files.get(main), main);
        String ending = runtime.fileEnding();
        String stem = main.endsWith(ending) ? main.substring(0, main.length() - ending.length()) : main;
        return Stream.of(runtime.hash(main, content), runtime.hash(stem, content), runtime.hash(content));
    }

    /** Writes the files into an empty folder. */
    void writeTo(Path folder) throws IOException {
        Path top = isTree ? folder.resolve(TREE) : folder;
        for (String path : files.keySet()) {
            Path file = top.resolve(path);
            Files.createDirectories(requireNonNull(file.getParent()));
            PrivateFiles.writeReadOnly(file, requireNonNull(files.get(path), path));
        }
        if (isTree) {
            PrivateFiles.writeReadOnly(folder.resolve(MAIN), main.getBytes(UTF_8));
        }
    }

    /** Reads the files of a version; empty if the folder is missing, or holds anything else. */
    static Optional<StoredFiles> read(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        Set<String> entries = new TreeSet<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.limit(3).forEach(entry -> entries.add(entry.getFileName().toString()));
        }
        if (entries.equals(Set.of(MAIN, TREE))) {
            Optional<String> main = PrivateFiles.read(folder.resolve(MAIN)).map(content -> new String(content, UTF_8));
            return main.flatMap(path -> readTree(folder.resolve(TREE), path));
        }
        String name = entries.size() == 1 ? entries.iterator().next() : "";
        return PrivateFiles.read(folder.resolve(name)).map(content -> {
            SortedMap<String, byte[]> single = new TreeMap<>();
            single.put(name, content);
            return new StoredFiles(name, false, single);
        });
    }

    private static Optional<StoredFiles> readTree(Path tree, String main) {
        List<Path> entries;
        try (Stream<Path> all = Files.walk(tree)) {
            entries = all.filter(entry -> !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                    .limit(ENTRIES_MAX)
                    .toList();
        } catch (IOException e) {
            return Optional.empty();
        }
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (Path entry : entries) {
            Optional<byte[]> content = PrivateFiles.read(entry);
            if (content.isEmpty()) {
                return Optional.empty();
            }
            files.put(tree.relativize(entry).toString().replace('\\', '/'), content.get());
        }
        return files.containsKey(main) ? Optional.of(new StoredFiles(main, true, files)) : Optional.empty();
    }

    /** The script in its folder. */
    Script script(Path folder, ScriptRuntime runtime) {
        return isTree
                ? new Script(
                        folder.resolve(TREE).resolve(main),
                        runtime,
                        Optional.of(folder.resolve(TREE)),
                        annotation(runtime))
                : new Script(folder.resolve(main), runtime, Optional.empty(), annotation(runtime));
    }

    private ScriptAnnotation annotation(ScriptRuntime runtime) {
        byte[] content = requireNonNull(files.get(main), main);
        int length = Math.min(content.length, ScriptAnnotation.BYTES_MAX);
        try {
            ScriptAnnotation read = ScriptAnnotation.read(new String(content, 0, length, UTF_8));
            if (runtime != ScriptRuntime.DENO && !read.permissions().equals(Permissions.NONE)) {
                throw new LoadException(
                        "The script is annotated with " + read.permissions()
                                + ", but only scripts for Deno have permissions: remove it.",
                        false);
            }
            if (!read.runtime().isEmpty() && !read.runtime().equals(runtime.name())) {
                throw new LoadException(
                        "The script is annotated with runtime=" + read.runtime() + ", but was deployed for "
                                + runtime.name() + ". Deploy it without a language, or with " + read.runtime() + ".",
                        false);
            }
            return read.withFresh(read.fresh() || runtime.runsOnce())
                    .withPython(runtime == ScriptRuntime.PYTHON ? read.python().and(requiredPython()) : read.python());
        } catch (IllegalArgumentException e) {
            throw new LoadException(String.valueOf(e.getMessage()), false);
        }
    }

    /** What the metadata of the script says about Python, or else the {@code pyproject.toml} beside it. */
    private PythonRequirement requiredPython() {
        String beside = main.substring(0, main.lastIndexOf('/') + 1) + "pyproject.toml";
        String required = text(main)
                .flatMap(PythonRequirement::ofScript)
                .or(() -> text(beside).flatMap(PythonRequirement::ofProject))
                .orElse("");
        try {
            return PythonRequirement.parse(required);
        } catch (IllegalArgumentException e) {
            throw new LoadException(
                    "The requires-python of the script cannot be understood: " + required + " (expected: "
                            + PythonRequirement.EXAMPLES + ").",
                    false);
        }
    }

    private Optional<String> text(String path) {
        return Optional.ofNullable(files.get(path)).map(content -> new String(content, UTF_8));
    }
}
