package dev.millrace.flowtest.script;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptFile;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.script.ScriptHash;
import dev.millrace.scheduler.script.ScriptSource;
import dev.millrace.text.script.ScriptFiles;
import dev.millrace.text.script.ScriptLanguages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * A script with the files that it imports, as a deployment would send them.
 *
 * @param path on the server, which decides where imports are looked for
 */
public record ScriptCode(String path, ScriptSource source) {
    /** Number of bytes of a script and its files. */
    private static final int BYTES_MAX = 16 << 20;

    public ScriptCode {
        requireNonNull(path, "path");
        requireNonNull(source, "source");
    }

    /**
     * Reads a script. The files that it imports lie below the current folder or, if the script lies elsewhere, below its
     * own.
     *
     * @throws UncheckedIOException if a file cannot be read
     * @throws IllegalArgumentException if the ending of the file names no language
     */
    public static ScriptCode read(Path file) {
        return read(file, source -> Optional.empty());
    }

    /**
     * Reads a script whose language the ending of its file need not tell.
     *
     * @param named the language of a script with this text; empty to go by the ending
     */
    public static ScriptCode read(Path file, Function<String, Optional<Language>> named) {
        Path absolute = file.toAbsolutePath().normalize();
        Path here = Path.of("").toAbsolutePath();
        Path root = absolute.startsWith(here) ? here : absolute.resolveSibling("");
        String path = root.relativize(absolute).toString().replace('\\', '/');
        try {
            if (Files.size(absolute) > BYTES_MAX) {
                throw new IllegalArgumentException("The script " + file + " has more than " + BYTES_MAX + " bytes.");
            }
            String content = Files.readString(absolute);
            Language language = named.apply(content)
                    .or(() -> ScriptLanguages.of(path).map(Language::new))
                    .orElseThrow(() -> new IllegalArgumentException("The ending of " + file
                            + " names no language (expected: " + ScriptLanguages.endingsInWords() + ")."));
            var files = ScriptFiles.find(
                    path, content, BYTES_MAX, new FilesBelow(root.toRealPath()), ScriptFiles.Source.NONE);
            return new ScriptCode(path, ScriptSource.choosing(language, content, files));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The script " + file + " cannot be read: " + unreadable, unreadable);
        }
    }

    /** The version as workers get it. */
    Script version() {
        Script.Builder version = Script.newBuilder()
                .setHash(ScriptHash.of(path, source))
                .setPath(path)
                .setWorkspace(ScriptHost.WORKSPACE)
                .setLanguageName(source.language().name())
                .setContent(ByteString.copyFromUtf8(source.content()));
        source.files()
                .forEach((file, text) -> version.addFiles(
                        ScriptFile.newBuilder().setPath(file).setContent(ByteString.copyFromUtf8(text))));
        return version.build();
    }
}
