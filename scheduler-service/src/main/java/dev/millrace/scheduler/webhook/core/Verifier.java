package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Verifies that a call comes from whoever knows a secret of the webhook. Each secret is tried, and each comparison takes
 * the same time for right and wrong values.
 */
public final class Verifier {
    /** Maximum number of signatures of one call. Further ones are not looked at. */
    static final int SIGNATURES_MAX = 8;

    private static final String STANDARD_PREFIX = "whsec_";
    private static final String BASIC_PREFIX = "basic ";
    private static final String BEARER_PREFIX = "bearer ";
    private static final int EPOCH_DIGITS_MAX = 12;

    private final Hmac hmac;

    public Verifier(Hmac hmac) {
        this.hmac = hmac;
    }

    /**
     * Verifies a call.
     *
     * @param secrets values of the secrets, any of which a caller may know
     * @param now time of the database
     */
    public Verdict verify(Authentication by, HookCall call, List<String> secrets, Instant now) {
        return switch (by.scheme()) {
            case STANDARD -> standard(by, call, secrets, now);
            case GITHUB -> github(call, secrets);
            case STRIPE -> stripe(by, call, secrets, now);
            case SLACK -> slack(by, call, secrets, now);
            case BASIC -> basic(by, call, secrets);
            case TOKEN -> token(by, call, secrets);
        };
    }

    /** Standard Webhooks 1.0: {@code webhook-signature: v1,BASE64 …} of {@code ID.TIME.BODY}. */
    private Verdict standard(Authentication by, HookCall call, List<String> secrets, Instant now) {
        Optional<String> id = call.header("webhook-id");
        Optional<String> time = call.header("webhook-timestamp");
        Optional<String> signature = call.header("webhook-signature");
        if (id.isEmpty() || time.isEmpty() || signature.isEmpty()) {
            return missing("webhook-id, webhook-timestamp and webhook-signature");
        }
        List<byte[]> given = new ArrayList<>();
        for (String part : signature.get().split(" ", SIGNATURES_MAX + 1)) {
            if (part.startsWith("v1,")) {
                base64(part.substring("v1,".length())).ifPresent(given::add);
            }
        }
        byte[] signed = join(id.get() + "." + time.get() + ".", call.body());
        List<byte[]> keys = secrets.stream().map(Verifier::standardKey).toList();
        return timed(isSigned(signed, given, keys), time.get(), by, now, id);
    }

    /** The key of a secret: what follows {@code whsec_} is Base64; any other secret is taken as it is. */
    private static byte[] standardKey(String secret) {
        Optional<byte[]> decoded = secret.startsWith(STANDARD_PREFIX)
                ? base64(secret.substring(STANDARD_PREFIX.length())).filter(key -> key.length > 0)
                : Optional.empty();
        return decoded.orElseGet(() -> secret.getBytes(UTF_8));
    }

    /** GitHub: {@code X-Hub-Signature-256: sha256=HEX} of the body. The id of the delivery is not signed. */
    private Verdict github(HookCall call, List<String> secrets) {
        Optional<String> signature = call.header("x-hub-signature-256");
        if (signature.isEmpty()) {
            return missing("X-Hub-Signature-256");
        }
        List<byte[]> given = signature.get().startsWith("sha256=")
                ? hex(signature.get().substring("sha256=".length())).stream().toList()
                : List.of();
        return isSigned(call.body(), given, keys(secrets))
                ? new Verdict.Genuine(call.header("x-github-delivery"))
                : wrong("X-Hub-Signature-256");
    }

    /** Stripe: {@code Stripe-Signature: t=TIME,v1=HEX,…} of {@code TIME.BODY}. */
    private Verdict stripe(Authentication by, HookCall call, List<String> secrets, Instant now) {
        Optional<String> header = call.header("stripe-signature");
        if (header.isEmpty()) {
            return missing("Stripe-Signature");
        }
        String time = "";
        List<byte[]> given = new ArrayList<>();
        for (String part : header.get().split(",", SIGNATURES_MAX + 2)) {
            String pair = part.strip();
            if (pair.startsWith("t=")) {
                time = pair.substring("t=".length());
            } else if (pair.startsWith("v1=")) {
                hex(pair.substring("v1=".length())).ifPresent(given::add);
            }
        }
        byte[] signed = join(time + ".", call.body());
        return timed(isSigned(signed, given, keys(secrets)), time, by, now, Optional.empty());
    }

    /**
     * Slack: {@code X-Slack-Signature: v0=HEX} of {@code v0:TIME:BODY}. Slack names no message, so the signature itself
     * is the name: it is the same only for the same body at the same time.
     */
    private Verdict slack(Authentication by, HookCall call, List<String> secrets, Instant now) {
        Optional<String> time = call.header("x-slack-request-timestamp");
        Optional<String> signature = call.header("x-slack-signature");
        if (time.isEmpty() || signature.isEmpty()) {
            return missing("X-Slack-Request-Timestamp and X-Slack-Signature");
        }
        List<byte[]> given = signature.get().startsWith("v0=")
                ? hex(signature.get().substring("v0=".length())).stream().toList()
                : List.of();
        byte[] signed = join("v0:" + time.get() + ":", call.body());
        Optional<String> name = given.stream().findFirst().map(HexFormat.of()::formatHex);
        return timed(isSigned(signed, given, keys(secrets)), time.get(), by, now, name);
    }

    private static Verdict basic(Authentication by, HookCall call, List<String> secrets) {
        Optional<byte[]> given =
                credentials(call, "authorization", BASIC_PREFIX).flatMap(Verifier::base64);
        if (given.isEmpty()) {
            return missing("Authorization with the scheme Basic");
        }
        boolean isRight = false;
        for (String secret : secrets) {
            isRight |= ConstantTime.equal((by.user() + ":" + secret).getBytes(UTF_8), given.get());
        }
        return isRight ? new Verdict.Genuine(Optional.empty()) : wrong("Authorization");
    }

    private static Verdict token(Authentication by, HookCall call, List<String> secrets) {
        Optional<String> given =
                by.header().isEmpty() ? credentials(call, "authorization", BEARER_PREFIX) : call.header(by.header());
        String shown = by.header().isEmpty() ? "Authorization with the scheme Bearer" : by.header();
        if (given.isEmpty()) {
            return missing(shown);
        }
        boolean isRight = false;
        for (String secret : secrets) {
            isRight |= ConstantTime.equal(secret.getBytes(UTF_8), given.get().getBytes(UTF_8));
        }
        return isRight ? new Verdict.Genuine(Optional.empty()) : wrong(shown);
    }

    private boolean isSigned(byte[] message, List<byte[]> given, List<byte[]> keys) {
        boolean isRight = false;
        for (byte[] key : keys) {
            byte[] expected = hmac.sha256(key, message);
            for (byte[] signature : given) {
                isRight |= ConstantTime.equal(expected, signature);
            }
        }
        return isRight;
    }

    /** The time counts only once the signature is right, because before that it is not known who names it. */
    private static Verdict timed(
            boolean isSigned, String time, Authentication by, Instant now, Optional<String> message) {
        if (!isSigned) {
            return new Verdict.Refused(
                    "The signature is wrong: another secret signed the call, or its body was changed.");
        }
        Optional<Instant> signed = time(time);
        if (signed.isEmpty()) {
            return new Verdict.Refused("The signed time is not a number of seconds since 1970.");
        }
        Duration age = Duration.between(signed.get(), now);
        return age.abs().compareTo(by.window()) > 0
                ? new Verdict.Refused("The call was signed at " + signed.get() + ", which is more than "
                        + by.window().toSeconds() + " s from now: it is a repetition, or a clock is wrong.")
                : new Verdict.Genuine(message);
    }

    private static Optional<Instant> time(String text) {
        boolean isNumber = !text.isEmpty()
                && text.length() <= EPOCH_DIGITS_MAX
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Optional.of(Instant.ofEpochSecond(Long.parseLong(text))) : Optional.empty();
    }

    private static Optional<String> credentials(HookCall call, String header, String prefix) {
        return call.header(header)
                .filter(value -> value.regionMatches(true, 0, prefix, 0, prefix.length()))
                .map(value -> value.substring(prefix.length()).strip());
    }

    private static List<byte[]> keys(List<String> secrets) {
        return secrets.stream().map(secret -> secret.getBytes(UTF_8)).toList();
    }

    private static Optional<byte[]> hex(String text) {
        try {
            return Optional.of(HexFormat.of().parseHex(text));
        } catch (IllegalArgumentException notHexadecimal) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> base64(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private static byte[] join(String start, byte[] body) {
        byte[] first = start.getBytes(UTF_8);
        byte[] all = new byte[first.length + body.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }

    private static Verdict missing(String headers) {
        return new Verdict.Refused("The call has no usable header " + headers + ".");
    }

    private static Verdict wrong(String header) {
        return new Verdict.Refused("The value of " + header + " is wrong: the caller has another secret.");
    }
}
