package dev.millrace.worker.internal.secret.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One stream of bytes whose secrets are replaced by {@link #MASK}, however the stream is cut into pieces. An end that may
 * begin a secret is withheld until later bytes or the end of the stream decide. Not thread-safe.
 */
public final class MaskedStream {
    /** Stands for secrets of any length. Neighboring and overlapping secrets become one mask. */
    public static final String MASK = "***";

    /**
     * At the end of a stream, so many bytes that begin a pattern are masked although the pattern is incomplete: whatever
     * wrote them was cut off.
     */
    static final int BEGINNING_BYTES_MIN = 8;

    private static final byte[] MASK_BYTES = MASK.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private PatternTree tree;
    private int node = PatternTree.ROOT;
    private byte[] held = NOTHING;
    private final Ranges secret = new Ranges();
    private boolean endsMasked;

    public MaskedStream(PatternTree tree) {
        this.tree = tree;
    }

    /** Returns the bytes without the secrets that this tree finds. */
    public static byte[] mask(PatternTree tree, byte[] bytes) {
        MaskedStream stream = new MaskedStream(tree);
        int node = stream.scan(bytes, 0, PatternTree.ROOT);
        return stream.secret.isEmpty() ? bytes : stream.emit(bytes, bytes.length, node);
    }

    /** Looks for further patterns from here on, and in what is withheld. */
    public void use(PatternTree larger) {
        if (larger != tree) {
            tree = larger;
            Ranges known = secret.takeAll();
            node = scan(held, 0, PatternTree.ROOT);
            secret.merge(known);
        }
    }

    /** Takes the next bytes, and returns all that is certain; may return {@code bytes} itself. */
    public byte[] add(byte[] bytes) {
        byte[] all = bytes;
        if (held.length > 0) {
            all = Arrays.copyOf(held, held.length + bytes.length);
            System.arraycopy(bytes, 0, all, held.length, bytes.length);
        }
        int last = scan(all, held.length, node);
        return emit(all, all.length - tree.depth(last), last);
    }

    /** Returns what is withheld, since nothing follows. The stream is then empty, and may be used again. */
    public byte[] end() {
        if (tree.depth(node) >= BEGINNING_BYTES_MIN) {
            secret.add(held.length - tree.depth(node), held.length);
        }
        byte[] rest = emit(held, held.length, PatternTree.ROOT);
        endsMasked = false;
        return rest;
    }

    /** Marks the secrets that end in {@code bytes[from..]}, and returns the last node. */
    private int scan(byte[] bytes, int from, int fromNode) {
        int at = fromNode;
        for (int i = from; i < bytes.length; i++) {
            at = tree.next(at, bytes[i]);
            int matched = tree.matched(at);
            if (matched > 0) {
                secret.add(i + 1 - matched, i + 1);
            }
        }
        return at;
    }

    /** Returns the first {@code length} bytes masked, and withholds the others. */
    private byte[] emit(byte[] bytes, int length, int lastNode) {
        node = lastNode;
        held = length == bytes.length ? NOTHING : Arrays.copyOfRange(bytes, length, bytes.length);
        if (secret.isEmpty()) {
            endsMasked = endsMasked && length == 0;
            return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        }
        byte[] masked = masked(bytes, length);
        secret.drop(length);
        return masked;
    }

    private byte[] masked(byte[] bytes, int length) {
        byte[] out = new byte[length + (secret.count() + 1) * MASK_BYTES.length];
        int size = 0;
        int at = 0;
        for (int i = 0; i < secret.count() && secret.from(i) < length; i++) {
            int plain = secret.from(i) - at;
            if (plain > 0) {
                System.arraycopy(bytes, at, out, size, plain);
                size += plain;
                endsMasked = false;
            }
            if (!endsMasked) {
                System.arraycopy(MASK_BYTES, 0, out, size, MASK_BYTES.length);
                size += MASK_BYTES.length;
            }
            endsMasked = true;
            at = Math.min(length, secret.to(i));
        }
        if (at < length) {
            System.arraycopy(bytes, at, out, size, length - at);
            size += length - at;
            endsMasked = false;
        }
        return Arrays.copyOf(out, size);
    }
}
