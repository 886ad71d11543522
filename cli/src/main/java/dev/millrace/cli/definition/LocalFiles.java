package dev.millrace.cli.definition;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.text.script.ScriptFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Files of this machine that scripts may import, by the paths that they get on the server.
 *
 * @param folder of this machine
 * @param serverFolder path of the folder on the server; empty for the root
 * @param root folder of this machine whose files may be sent; no others are
 */
record LocalFiles(Path folder, String serverFolder, Path root) implements ScriptFiles.Source {
    /** Number of bytes that are sent with one script; servers may accept less. */
    private static final int BYTES_MAX = 16 << 20;

    LocalFiles {
        folder = folder.toAbsolutePath().normalize();
        root = root.toAbsolutePath().normalize();
    }

    /** The files that belong to a script, by their paths on the server. */
    Map<String, String> of(String script, String content) {
        return ScriptFiles.find(script, content, BYTES_MAX, this, ScriptFiles.Source.NONE);
    }

    @Override
    public Set<String> present(Collection<String> paths) {
        return paths.stream()
                .filter(path -> place(path).startsWith(root) && Files.isRegularFile(place(path)))
                .collect(Collectors.toSet());
    }

    @Override
    public String read(String path) {
        Path file = place(path);
        if (!TextFile.isInside(root, file)) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    "The script imports " + file + ", a link that leads out of the folder " + root
                            + ", so it was not sent. Copy the file into that folder.");
        }
        return TextFile.read(file);
    }

    private Path place(String path) {
        return folder.resolve(Path.of(serverFolder).relativize(Path.of(path))).normalize();
    }
}
