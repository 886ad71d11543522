package dev.millrace.worker.internal.secret.core;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Masks JSON so that it stays JSON. Texts and keys are searched as JSON means them, whatever escapes they use. A number
 * with a secret becomes a text. If a secret covers more than one value, the mask takes the place of everything.
 */
public final class MaskedJson {
    private static final byte[] MASK = quoted(MaskedStream.MASK);

    private MaskedJson() {}

    /** Returns the masked JSON; {@code json} itself if it contains no secret. */
    public static byte[] mask(PatternTree tree, byte[] json) {
        ByteArrayOutputStream out = null;
        int copied = 0;
        int at = 0;
        while (at < json.length) {
            int from = at;
            byte[] masked = null;
            if (json[at] == '"') {
                at = JsonScanner.skipString(json, at);
                masked = text(tree, JsonScanner.text(json, from, at));
            } else if (JsonScanner.isScalar(json[at])) {
                at = JsonScanner.skipScalar(json, at);
                masked = scalar(tree, json, from, at);
            } else {
                at++;
            }
            if (masked != null) {
                out = out == null ? new ByteArrayOutputStream(json.length) : out;
                out.write(json, copied, from - copied);
                out.writeBytes(masked);
                copied = at;
            }
        }
        byte[] result = json;
        if (out != null) {
            out.write(json, copied, json.length - copied);
            result = out.toByteArray();
        }
        return tree.isIn(result) ? MASK.clone() : result;
    }

    /** Returns the text as masked JSON; null if it contains no secret. */
    private static byte @Nullable [] text(PatternTree tree, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return tree.isIn(bytes) ? quoted(new String(MaskedStream.mask(tree, bytes), StandardCharsets.UTF_8)) : null;
    }

    private static byte @Nullable [] scalar(PatternTree tree, byte[] json, int from, int to) {
        byte[] bytes = Arrays.copyOfRange(json, from, to);
        return tree.isIn(bytes) ? MASK.clone() : null;
    }

    private static byte[] quoted(String text) {
        byte[] quoted = JsonStringEncoder.getInstance().quoteAsUTF8(text);
        byte[] json = new byte[quoted.length + 2];
        json[0] = '"';
        System.arraycopy(quoted, 0, json, 1, quoted.length);
        json[json.length - 1] = '"';
        return json;
    }
}
