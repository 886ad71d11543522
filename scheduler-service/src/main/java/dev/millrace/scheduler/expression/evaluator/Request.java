package dev.millrace.scheduler.expression.evaluator;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something to evaluate.
 *
 * @param phrase names it in error messages, for example {@code The query ".a"}
 * @param remedy what to do where it takes too much, a sentence
 * @param parts what the engine of the language works on: the program first, then what it reads
 */
public record Request(Language language, String phrase, String remedy, List<@Nullable String> parts) {
    public Request {
        parts = Collections.unmodifiableList(new ArrayList<>(parts));
    }

    /** Tells it from others, whoever asks: equal programs that read equal values have equal keys. */
    String key() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((byte) language.code());
            for (String part : parts) {
                byte[] bytes = part == null ? new byte[0] : part.getBytes(StandardCharsets.UTF_8);
                digest.update(ByteBuffer.allocate(Integer.BYTES)
                        .putInt(part == null ? -1 : bytes.length)
                        .array());
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
