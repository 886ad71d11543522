package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.language.EmbeddedLanguage;
import dev.millrace.worker.language.ProcessUse;
import dev.millrace.worker.language.ScriptLanguage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Kinds of process that run scripts: the two built-in ones, and one for each further language. */
final class ScriptRuntime {
    private static final String BUN = "bun";

    static final ScriptRuntime PYTHON = new ScriptRuntime("python", List.of(".py"), "Python", Optional.empty());
    static final ScriptRuntime DENO =
            new ScriptRuntime("deno", List.of(".ts", ".mts", ".js", ".mjs"), "Deno", Optional.empty());

    private final String name;
    private final List<String> fileEndings;
    private final String inWords;
    private final Optional<ScriptLanguage> language;

    private ScriptRuntime(String name, List<String> fileEndings, String inWords, Optional<ScriptLanguage> language) {
        this.name = name;
        this.fileEndings = fileEndings;
        this.inWords = inWords;
        this.language = language;
    }

    static ScriptRuntime of(ScriptLanguage language) {
        return new ScriptRuntime(
                language.name(), List.copyOf(language.fileEndings()), language.name(), Optional.of(language));
    }

    /** The runtime of a language that needs no processes. */
    static ScriptRuntime of(EmbeddedLanguage language) {
        return new ScriptRuntime(
                language.name(), List.copyOf(language.fileEndings()), language.name(), Optional.empty());
    }

    /** Name of the language; also that of the runtime's files. */
    String name() {
        return name;
    }

    /** Name for people. */
    String inWords() {
        return inWords;
    }

    /** The language; empty for the built-in runtimes. */
    Optional<ScriptLanguage> language() {
        return language;
    }

    /** Whether programs that a script starts print past the runtime, on the stderr of the process. */
    boolean printsRaw() {
        return this == DENO || name.equals(BUN);
    }

    /** Whether a process runs a single job, and speaks no protocol. */
    boolean runsOnce() {
        return language.filter(one -> one.use() == ProcessUse.ONCE).isPresent();
    }

    /**
     * Returns the content address of a script of this runtime without a name, as schedulers computed it before names
     * were a part of it: SHA-256 over the language's name, a zero byte and the content.
     */
    String hash(byte[] content) {
        MessageDigest digest = sha256();
        add(digest, name);
        return HexFormat.of().formatHex(digest.digest(content));
    }

    /**
     * Returns the content address of a script of this runtime, as the scheduler computes it: SHA-256 over the
     * language's name with {@code " file"}, the name of the script's file, and the content. A zero byte ends each word.
     *
     * @param fileName as {@link ScriptFileName} gives it
     */
    String hash(String fileName, byte[] content) {
        MessageDigest digest = sha256();
        add(digest, name + " file");
        add(digest, fileName);
        return HexFormat.of().formatHex(digest.digest(content));
    }

    /**
     * Returns the content address of a script with files: SHA-256 over the language's name with {@code " files"}, the
     * path of the script, and then, in the order of the paths, each path with the SHA-256 of its content. A zero byte
     * ends each word.
     *
     * @param main path of the script
     * @param files contents of the script and its files by path
     */
    String hash(String main, SortedMap<String, byte[]> files) {
        MessageDigest digest = sha256();
        add(digest, name + " files");
        add(digest, main);
        files.forEach((path, content) -> {
            add(digest, path);
            digest.update(sha256().digest(content));
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void add(MessageDigest digest, String word) {
        digest.update(word.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }

    /** Whether a file has an ending of this runtime. */
    boolean hasEndingOf(String fileName) {
        return fileEndings.stream().anyMatch(fileName::endsWith);
    }

    /** File ending of a script whose path does not tell the language. */
    String fileEnding() {
        return requireNonNull(fileEndings.get(0));
    }
}
