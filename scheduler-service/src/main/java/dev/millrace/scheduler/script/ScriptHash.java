package dev.millrace.scheduler.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.queue.core.Language;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Content address of a script: SHA-256 over the language's name, a zero byte and the content, in lower-case hex. */
public final class ScriptHash {
    private ScriptHash() {}

    public static String of(Language language, String content) {
        MessageDigest digest = sha256();
        digest.update(language.tag().getBytes(UTF_8));
        digest.update((byte) 0);
        digest.update(content.getBytes(UTF_8));
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
