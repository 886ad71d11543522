package dev.millrace.scheduler.signal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a signed link lets one person do. Its text is {@code base64url(content).base64url(HMAC-SHA256)}; the content is lines, so that none
 * of its parts may hold a line break, and the signature covers the run, too. Secret: its text form hides it.
 *
 * @param stepKey the step that waits
 * @param actor in whose name it answers
 * @param denies whether it denies; else it approves or completes
 * @param expires until when it holds, in whole seconds
 */
record LinkToken(String stepKey, String actor, boolean denies, Instant expires) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int TEXT_LENGTH_MAX = 8_000;
    private static final String ACCEPT = "accept";
    private static final String DENY = "deny";
    private static final Pattern CONTENT =
            Pattern.compile("(?<expires>[0-9]{1,12})\n(?<verb>" + ACCEPT + "|" + DENY + ")\n(?<step>.+)\n(?<actor>.+)");

    LinkToken {
        requireNonNull(stepKey, "stepKey");
        requireNonNull(actor, "actor");
        requireNonNull(expires, "expires");
    }

    String sign(RunId run, byte[] secret) {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString(content().getBytes(UTF_8)) + "."
                + encoder.encodeToString(mac(run, content(), secret));
    }

    /** The token that this text is for this run; empty where its signature is wrong. Whether it still holds is not looked at. */
    static Optional<LinkToken> verify(String text, RunId run, byte[] secret) {
        int dot = text.indexOf('.');
        if (dot < 0 || text.length() > TEXT_LENGTH_MAX) {
            return Optional.empty();
        }
        try {
            Base64.Decoder decoder = Base64.getUrlDecoder();
            String content = new String(decoder.decode(text.substring(0, dot)), UTF_8);
            byte[] signature = decoder.decode(text.substring(dot + 1));
            return MessageDigest.isEqual(signature, mac(run, content, secret)) ? read(content) : Optional.empty();
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    /** What is signed, beside the run; equal for equal tokens, however their text is written. */
    String content() {
        return expires.getEpochSecond() + "\n" + (denies ? DENY : ACCEPT) + "\n" + stepKey + "\n" + actor;
    }

    private static Optional<LinkToken> read(String content) {
        return Optional.of(CONTENT.matcher(content))
                .filter(matcher -> matcher.matches())
                .map(matcher -> new LinkToken(
                        matcher.group("step"),
                        matcher.group("actor"),
                        matcher.group("verb").equals(DENY),
                        Instant.ofEpochSecond(Long.parseLong(matcher.group("expires")))));
    }

    private static byte[] mac(RunId run, String content, byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac.doFinal((run + "\n" + content).getBytes(UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("every Java platform has " + ALGORITHM, impossible);
        }
    }

    @Override
    public String toString() {
        return "LinkToken[hidden]";
    }
}
