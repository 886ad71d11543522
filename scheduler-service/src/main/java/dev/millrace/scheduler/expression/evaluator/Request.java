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
 * A program to evaluate, with its input.
 *
 * @param phrase name of the request in error messages, for example {@code The query ".a"}
 * @param remedy advice in a full sentence, for a request that exceeds a limit
 * @param parts input of the language's engine: the program first, then the values that it reads
 */
public record Request(Language language, String phrase, String remedy, List<@Nullable String> parts) {
    public Request {
        parts = Collections.unmodifiableList(new ArrayList<>(parts));
    }

    /** Hash that identifies the request: equal programs with equal input have equal keys, whoever sends them. */
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
