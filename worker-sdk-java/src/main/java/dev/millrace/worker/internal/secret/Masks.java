package dev.millrace.worker.internal.secret;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.millrace.worker.internal.secret.core.MaskedJson;
import dev.millrace.worker.internal.secret.core.MaskedStream;
import dev.millrace.worker.internal.secret.core.PatternTree;
import dev.millrace.worker.internal.secret.core.SecretPatterns;
import dev.millrace.worker.internal.secret.core.TooManyPatternsException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Secrets that one process, or one job of a handler, has seen. They are only ever added, since a process may print a
 * secret of an earlier job. Without secrets, nothing is copied or searched. Thread-safe.
 */
public final class Masks {
    /** Bytes of all spellings of the secrets of one process. They need up to 17 times as much memory. */
    public static final int PATTERN_BYTES_MAX = 8 << 20;

    /** Shown at the end of an error text that was cut. */
    private static final String CUT = "…";

    private final Set<String> secrets = new TreeSet<>();
    private volatile @Nullable PatternTree tree;

    /**
     * Masks these secrets, too, from now on, if all secrets together are not too large. Otherwise, those from before
     * stay masked, and the method returns false.
     *
     * @throws TooManyPatternsException if these secrets alone are too large
     */
    public synchronized boolean canAdd(Collection<String> added) throws TooManyPatternsException {
        try {
            add(added);
            return true;
        } catch (TooManyPatternsException e) {
            if (secrets.isEmpty()) {
                throw e;
            }
            new Masks().add(added);
            return false;
        }
    }

    /**
     * Masks these secrets, too, from now on.
     *
     * @throws TooManyPatternsException if all secrets together are too large; those from before stay masked
     */
    public synchronized void add(Collection<String> added) throws TooManyPatternsException {
        Set<String> all = new TreeSet<>(secrets);
        if (all.addAll(added)) {
            tree = new PatternTree(SecretPatterns.of(all, PATTERN_BYTES_MAX));
            secrets.addAll(added);
        }
    }

    public boolean isEmpty() {
        return tree == null;
    }

    @Nullable PatternTree tree() {
        return tree;
    }

    /** Returns a complete text without secrets. If it ends with the beginning of a secret, it was cut there. */
    public String text(String text) {
        PatternTree patterns = tree;
        if (patterns == null || text.isEmpty()) {
            return text;
        }
        boolean isCut = text.endsWith(CUT);
        MaskedStream stream = new MaskedStream(patterns);
        String begin = isCut ? text.substring(0, text.length() - CUT.length()) : text;
        String masked = utf8(stream.add(begin.getBytes(StandardCharsets.UTF_8))) + utf8(stream.end());
        return isCut ? masked + CUT : masked;
    }

    /** Returns JSON without secrets; it stays JSON. */
    public ByteString json(ByteString json) {
        PatternTree patterns = tree;
        return patterns == null ? json : UnsafeByteOperations.unsafeWrap(MaskedJson.mask(patterns, json.toByteArray()));
    }

    /** Returns JSON without secrets; it stays JSON. */
    public String json(String json) {
        PatternTree patterns = tree;
        return patterns == null ? json : utf8(MaskedJson.mask(patterns, json.getBytes(StandardCharsets.UTF_8)));
    }

    static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return tree == null ? "no secrets" : tree.toString();
    }
}
