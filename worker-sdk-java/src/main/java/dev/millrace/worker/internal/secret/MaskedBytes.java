package dev.millrace.worker.internal.secret;

import dev.millrace.worker.internal.secret.core.MaskedStream;
import dev.millrace.worker.internal.secret.core.PatternTree;
import org.jspecify.annotations.Nullable;

/** One stream of output, masked across its pieces from the first secret on. Not thread-safe. */
public final class MaskedBytes {
    private @Nullable MaskedStream stream;

    /** Returns what is certain of all pieces so far, and may return {@code piece} itself. The rest follows later. */
    public byte[] add(Masks masks, byte[] piece) {
        PatternTree tree = masks.tree();
        if (tree == null) {
            return piece;
        }
        MaskedStream to = stream == null ? new MaskedStream(tree) : stream;
        stream = to;
        to.use(tree);
        return to.add(piece);
    }

    /** Returns what is withheld, since nothing follows. */
    public byte[] end() {
        return stream == null ? new byte[0] : stream.end();
    }
}
