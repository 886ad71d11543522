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
 * The content of a signed link: what it lets one person do.
 *
 * <p>The text form is {@code base64url(content).base64url(HMAC-SHA256)}. The content consists of lines, so no part may
 * contain a line break. The signature also covers the run. The text form is secret, so {@link #toString} hides it.
 *
 * @param stepKey the step that waits
 * @param actor the person in whose name the link answers
 * @param denies whether the link denies; otherwise it approves or completes
 * @param expires when the link expires, in whole seconds
 * @param signed when the link was signed, in whole milliseconds; absent for links of schedulers that did not note it
 */
record LinkToken(String stepKey, String actor, boolean denies, Instant expires, Optional<Instant> signed) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int TEXT_LENGTH_MAX = 8_000;
    private static final String ACCEPT = "accept";
    private static final String DENY = "deny";
    private static final Pattern CONTENT = Pattern.compile("(?<expires>[0-9]{1,12})\n(?<verb>" + ACCEPT + "|" + DENY
            + ")\n(?<step>.+)\n(?<actor>.+)(\n(?<signed>[0-9]{1,15}))?");

    LinkToken {
        requireNonNull(stepKey, "stepKey");
        requireNonNull(actor, "actor");
        requireNonNull(expires, "expires");
        requireNonNull(signed, "signed");
    }

    String sign(RunId run, byte[] secret) {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString(content().getBytes(UTF_8)) + "."
                + encoder.encodeToString(mac(run, content(), secret));
    }

    /** Reads a token from its text; empty if the signature is not valid for this run. Does not check the expiry. */
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

    /** The signed content, apart from the run. Equal tokens have equal content, however their text is encoded. */
    String content() {
        return expires.getEpochSecond() + "\n" + (denies ? DENY : ACCEPT) + "\n" + stepKey + "\n" + actor
                + signed.map(time -> "\n" + time.toEpochMilli()).orElse("");
    }

    private static Optional<LinkToken> read(String content) {
        return Optional.of(CONTENT.matcher(content))
                .filter(matcher -> matcher.matches())
                .map(matcher -> new LinkToken(
                        matcher.group("step"),
                        matcher.group("actor"),
                        matcher.group("verb").equals(DENY),
                        Instant.ofEpochSecond(Long.parseLong(matcher.group("expires"))),
                        Optional.ofNullable(matcher.group("signed"))
                                .map(time -> Instant.ofEpochMilli(Long.parseLong(time)))));
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
