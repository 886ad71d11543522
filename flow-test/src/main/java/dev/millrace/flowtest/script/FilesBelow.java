package dev.millrace.flowtest.script;

import dev.millrace.text.script.ScriptFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Files that scripts may import: those below a folder.
 *
 * @param root its real path
 */
record FilesBelow(Path root) implements ScriptFiles.Source {
    @Override
    public Set<String> present(Collection<String> paths) {
        return paths.stream().filter(this::isFile).collect(Collectors.toSet());
    }

    private boolean isFile(String path) {
        Path file = root.resolve(path).normalize();
        try {
            return file.startsWith(root)
                    && Files.isRegularFile(file)
                    && file.toRealPath().startsWith(root);
        } catch (IOException gone) {
            return false;
        }
    }

    @Override
    public String read(String path) {
        try {
            return Files.readString(root.resolve(path));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The file " + path + " cannot be read: " + unreadable, unreadable);
        }
    }
}
