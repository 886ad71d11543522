package dev.millrace.scheduler.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.text.script.ScriptFileName;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Content address of a version: SHA-256, in lower-case hex. Workers compute it as well.
 *
 * <p>A single file is hashed as the language's name with {@code " file"}, a zero byte, the name of the file, a zero byte
 * and the content. So a script runs under its own name, even if another one has the same content. Without a name, it is
 * hashed as the language's name, a zero byte and the content. A version with files is hashed as the
 * language's name with {@code " files"}, a zero byte, the path of the script and a zero byte; then, in the order of
 * their paths, for the script and each file its path, a zero byte and the SHA-256 of its text.
 */
public final class ScriptHash {
    private static final String WITH_NAME = " file";
    private static final String WITH_FILES = " files";

    private ScriptHash() {}

    /**
     * Returns the content address of a version.
     *
     * @param path of the script; only its last name counts, unless there are files, which begin in the same folder
     */
    public static String of(String path, ScriptSource source) {
        MessageDigest digest = sha256();
        if (source.files().isEmpty()) {
            String name = ScriptFileName.of(path);
            add(digest, source.language().tag() + (name.isEmpty() ? "" : WITH_NAME));
            if (!name.isEmpty()) {
                add(digest, name);
            }
            return HexFormat.of().formatHex(digest.digest(source.content().getBytes(UTF_8)));
        }
        add(digest, source.language().tag() + WITH_FILES);
        add(digest, path);
        SortedMap<String, String> all = new TreeMap<>(source.files());
        all.put(path, source.content());
        all.forEach((file, text) -> {
            add(digest, file);
            digest.update(sha256().digest(text.getBytes(UTF_8)));
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    /** SHA-256 of a text, in lower-case hex. */
    static String ofText(String text) {
        return HexFormat.of().formatHex(sha256().digest(text.getBytes(UTF_8)));
    }

    private static void add(MessageDigest digest, String word) {
        digest.update(word.getBytes(UTF_8));
        digest.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
