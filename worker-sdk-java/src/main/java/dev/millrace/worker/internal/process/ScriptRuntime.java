package dev.millrace.worker.internal.process;

import dev.millrace.proto.common.v1.Language;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SortedMap;

/** Kinds of process that run scripts. */
public enum ScriptRuntime {
    PYTHON(".py", "Python"),
    DENO(".ts", "Deno");

    private final String fileEnding;
    private final String inWords;

    ScriptRuntime(String fileEnding, String inWords) {
        this.fileEnding = fileEnding;
        this.inWords = inWords;
    }

    /** Name for people. */
    String inWords() {
        return inWords;
    }

    /**
     * Returns the content address of a script of this runtime, as the scheduler computes it: SHA-256 over the
     * language's name, a zero byte and the content.
     */
    String hash(byte[] content) {
        MessageDigest digest = sha256();
        digest.update(name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
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
        add(digest, name().toLowerCase(Locale.ROOT) + " files");
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

    /** File ending of a script whose path does not tell the language. */
    String fileEnding() {
        return fileEnding;
    }

    static ScriptRuntime of(Language language) {
        return switch (language) {
            case LANGUAGE_PYTHON -> PYTHON;
            case LANGUAGE_DENO -> DENO;
            case LANGUAGE_UNSPECIFIED, UNRECOGNIZED ->
                throw new LoadException("The script's language is not known to this worker: update the worker.", true);
        };
    }

    /** Returns the runtime for a file name from {@link ScriptStore}. */
    static ScriptRuntime ofFileName(String fileName) {
        return fileName.endsWith(PYTHON.fileEnding) ? PYTHON : DENO;
    }
}
