package dev.millrace.worker.internal.process;

import static java.util.stream.Collectors.toList;

import dev.millrace.worker.language.ScriptLanguage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Source files of one runtime, copied from the class path for its interpreter. All programs of the worker's user can
 * change the copies, so they are compared before each use. Thread-safe by its monitor; several workers may share the
 * folder.
 */
final class RuntimeFiles {
    private static final String ROOT = "millrace-runtime/";
    private static final String INDEX = "FILES";

    /** Folder of Python's compiled files. */
    private static final String COMPILED = "__pycache__";

    private static final Logger logger = LoggerFactory.getLogger(RuntimeFiles.class);

    private final Path folder;
    private final boolean arePrograms;
    /** Content by path, including the files that Python compiled before user code ran. */
    private final Map<Path, byte[]> files = new LinkedHashMap<>();

    /**
     * @param common parent of the folders of all copies
     * @param copy name of this copy, one for each interpreter, as each compiles the files for itself
     */
    RuntimeFiles(ScriptRuntime runtime, Path common, String copy) throws IOException {
        this(runtime.name(), common, copy, false);
    }

    /** The files that a language brings itself. */
    static RuntimeFiles of(ScriptLanguage language, Path common, String copy) throws IOException {
        return new RuntimeFiles(language.runtime(), common, copy, false);
    }

    /** The commands that processes find in their {@code PATH} if they speak no protocol. */
    static RuntimeFiles ofCommands(Path common) throws IOException {
        return new RuntimeFiles("commands", common, "commands", true);
    }

    private RuntimeFiles(String name, Path common, String copy, boolean arePrograms) throws IOException {
        this(contents(ROOT + name + "/"), common, copy, arePrograms);
    }

    private RuntimeFiles(Map<String, byte[]> contents, Path common, String copy, boolean arePrograms)
            throws IOException {
        this.arePrograms = arePrograms;
        this.folder = common.resolve(copy).toAbsolutePath();
        for (Map.Entry<String, byte[]> content : contents.entrySet()) {
            Path place = folder.resolve(content.getKey()).normalize();
            if (!place.startsWith(folder)) {
                throw new IOException("A runtime names a file outside of its folder: " + content.getKey());
            }
            files.put(place, content.getValue());
        }
    }

    private static Map<String, byte[]> contents(String root) throws IOException {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        for (String file : index(root)) {
            contents.put(file, read(root + file));
        }
        return contents;
    }

    /** Whether the runtime has no files. */
    boolean isEmpty() {
        return files.isEmpty();
    }

    /** Writes missing and changed files, deletes foreign ones, and returns the folder. */
    synchronized Path restore() throws IOException {
        PrivateFiles.folder(folder);
        deleteForeign();
        for (Map.Entry<Path, byte[]> file : files.entrySet()) {
            Path place = file.getKey();
            if (!PrivateFiles.read(place)
                    .filter(content -> Arrays.equals(content, file.getValue()))
                    .isPresent()) {
                write(place, file.getValue());
            }
        }
        return folder;
    }

    /**
     * Lets Python compile the files, which its processes would do otherwise, and keeps the compiled content: a changed
     * compiled file would run in place of its source. Must be called before user code runs.
     */
    synchronized void compile(String python) throws IOException, InterruptedException {
        restore();
        Process compiler = ScrubbedCommand.of(new ProcessBuilder(
                        python,
                        "-I",
                        "-S",
                        "-m",
                        "compileall",
                        "-q",
                        "--invalidation-mode",
                        "unchecked-hash",
                        folder.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (compiler.waitFor() != 0) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> compiled = all.filter(RuntimeFiles::isCompiled).collect(toList());
            for (Path file : compiled) {
                files.put(file, Files.readAllBytes(file));
            }
        }
    }

    private static boolean isCompiled(Path file) {
        Path parent = file.getParent();
        return parent != null && parent.endsWith(COMPILED) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private void deleteForeign() throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.walk(folder)) {
            found = all.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .collect(toList());
        }
        for (Path file : found) {
            if (!files.containsKey(file)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void write(Path place, byte[] content) throws IOException {
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            logger.atWarn()
                    .addKeyValue("file", place)
                    .log("A file of the worker's runtime was changed; it is written anew.");
        }
        Path parent = place.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Path fresh = Files.createTempFile(folder.getParent(), "new-", "");
        PrivateFiles.writeReadOnly(fresh, content);
        if (arePrograms && !fresh.toFile().setExecutable(true, true)) {
            throw new IOException("The file " + fresh + " cannot be made executable");
        }
        Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static List<String> index(String root) throws IOException {
        return new String(read(root + INDEX), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .collect(toList());
    }

    private static byte[] read(String resource) throws IOException {
        try (InputStream in = RuntimeFiles.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(
                        "The class path lacks " + resource + "; the worker was built without its runtimes.");
            }
            return in.readAllBytes();
        }
    }
}
