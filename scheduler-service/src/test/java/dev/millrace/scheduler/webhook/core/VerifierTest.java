package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Signatures: the vectors that vendors publish, and what a changed call, an old one and a rotated secret lead to. */
class VerifierTest {
    private static final Verifier VERIFIER = new Verifier(VerifierTest::hmac);
    private static final int ROUNDS = 300;

    private static final String STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String SLACK_BODY =
            "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
                    + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
                    + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554"
                    + "%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

    @Test
    void acceptsThePublishedVectorOfStandardWebhooks() {
        HookCall call = call(
                "{\"test\": 2432232314}",
                "webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek",
                "webhook-timestamp: 1614265330",
                "webhook-signature: v1a,xx v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");

        assertThat(verify(Scheme.STANDARD, call, 1614265330, STANDARD_SECRET))
                .isEqualTo(genuine("msg_p5jXN8AQM9LWM0D4loKWxJek"));
        assertThat(verify(Scheme.STANDARD, call, 1614265330 + 301, STANDARD_SECRET))
                .isInstanceOf(Verdict.Refused.class);
        assertThat(verify(Scheme.STANDARD, call, 1614265330 - 301, STANDARD_SECRET))
                .isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void acceptsThePublishedVectorOfGitHub() {
        HookCall call = call(
                "Hello, World!",
                "X-Hub-Signature-256: sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
                "X-GitHub-Delivery: 72d3162e");

        assertThat(verify(Scheme.GITHUB, call, 0, "It's a Secret to Everybody")).isEqualTo(genuine("72d3162e"));
        assertThat(verify(Scheme.GITHUB, call, 0, "It's a Secret to Nobody")).isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void acceptsThePublishedVectorOfSlack() {
        String hex = "a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
        HookCall call = call(SLACK_BODY, "X-Slack-Request-Timestamp: 1531420618", "X-Slack-Signature: v0=" + hex);

        assertThat(verify(Scheme.SLACK, call, 1531420618, "8f742231b10e8888abcd99yyyzzz85a5"))
                .isEqualTo(genuine(hex));
    }

    @Test
    void comparesPasswordsAndTokens() {
        String basic = Base64.getEncoder().encodeToString("ada:p:ässword".getBytes(UTF_8));
        Authentication ada = new Authentication(Scheme.BASIC, "", "ada", Authentication.WINDOW_DEFAULT);
        Authentication own = new Authentication(Scheme.TOKEN, "X-Gitlab-Token", "", Authentication.WINDOW_DEFAULT);

        assertThat(verify(ada, call("", "Authorization: basic " + basic), 0, "other", "p:ässword"))
                .isInstanceOf(Verdict.Genuine.class);
        assertThat(verify(ada, call("", "Authorization: Basic !!"), 0, "p:ässword"))
                .isInstanceOf(Verdict.Refused.class);
        assertThat(verify(own, call("", "x-gitlab-token: hush"), 0, "hush")).isInstanceOf(Verdict.Genuine.class);
        assertThat(verify(own, call("", "x-gitlab-token: hush", "x-gitlab-token: hush"), 0, "hush"))
                .as("a header that occurs twice proves nothing")
                .isInstanceOf(Verdict.Refused.class);
        assertThat(verify(Scheme.TOKEN, call("", "Authorization: Bearer hush"), 0, "hush"))
                .isInstanceOf(Verdict.Genuine.class);
        assertThat(verify(Scheme.TOKEN, call("", "Authorization: Bearer hus"), 0, "hush"))
                .isInstanceOf(Verdict.Refused.class);
    }

    /** Signs random bodies by each scheme, and then changes one thing of the call. */
    @Test
    void refusesWhateverWasChanged() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Scheme scheme = List.of(Scheme.STANDARD, Scheme.GITHUB, Scheme.STRIPE, Scheme.SLACK)
                    .get(round % 4);
            byte[] body = new byte[random.nextInt(200)];
            random.nextBytes(body);
            long time = 1_700_000_000L + random.nextInt(1_000_000);
            List<String> headers = signed(scheme, body, time, "the right secret");
            String as = "seed " + seed + ", round " + round + ", " + scheme;

            assertThat(verify(
                            scheme, call(body, headers), time + random.nextInt(300), "old secret", "the right secret"))
                    .as(as)
                    .isInstanceOf(Verdict.Genuine.class);
            assertThat(verify(scheme, call(body, headers), time, "old secret", "the rіght secret"))
                    .as(as)
                    .isInstanceOf(Verdict.Refused.class);
            assertThat(verify(scheme, call(changed(body, random), headers), time, "the right secret"))
                    .as(as)
                    .isInstanceOf(Verdict.Refused.class);
            assertThat(verify(scheme, call(body, without(headers, random)), time, "the right secret"))
                    .as(as)
                    .isInstanceOf(Verdict.Refused.class);
            if (scheme.signsTime()) {
                assertThat(verify(scheme, call(body, headers), time + 301, "the right secret"))
                        .as(as)
                        .isInstanceOf(Verdict.Refused.class);
                List<String> younger = headers.stream()
                        .map(line -> line.replace(String.valueOf(time), String.valueOf(time + 301)))
                        .toList();
                assertThat(verify(scheme, call(body, younger), time + 301, "the right secret"))
                        .as(as)
                        .isInstanceOf(Verdict.Refused.class);
            }
        }
    }

    private static List<String> signed(Scheme scheme, byte[] body, long time, String secret) {
        return switch (scheme) {
            case STANDARD ->
                List.of(
                        "webhook-id: m1",
                        "webhook-timestamp: " + time,
                        "webhook-signature: v1,"
                                + Base64.getEncoder().encodeToString(sign(secret, "m1." + time + ".", body)));
            case GITHUB ->
                List.of("x-hub-signature-256: sha256=" + HexFormat.of().formatHex(sign(secret, "", body)));
            case STRIPE ->
                List.of("stripe-signature: t=" + time + ",v0=00,v1=00, v1="
                        + HexFormat.of().formatHex(sign(secret, time + ".", body)));
            case SLACK ->
                List.of(
                        "x-slack-request-timestamp: " + time,
                        "x-slack-signature: v0=" + HexFormat.of().formatHex(sign(secret, "v0:" + time + ":", body)));
            case BASIC, TOKEN -> throw new IllegalArgumentException("no signature: " + scheme);
        };
    }

    private static byte[] sign(String secret, String start, byte[] body) {
        byte[] first = start.getBytes(UTF_8);
        byte[] all = Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return hmac(secret.getBytes(UTF_8), all);
    }

    private static byte[] changed(byte[] body, Random random) {
        byte[] other = Arrays.copyOf(body, body.length + (body.length == 0 ? 1 : random.nextInt(2)));
        other[random.nextInt(other.length)] ^= (byte) (1 + random.nextInt(255));
        return other;
    }

    private static List<String> without(List<String> headers, Random random) {
        List<String> fewer = new ArrayList<>(headers);
        fewer.remove(random.nextInt(fewer.size()));
        return fewer;
    }

    private static byte[] hmac(byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static Verdict verify(Scheme scheme, HookCall call, long epochSeconds, String... secrets) {
        return verify(new Authentication(scheme, "", "", Authentication.WINDOW_DEFAULT), call, epochSeconds, secrets);
    }

    private static Verdict verify(Authentication by, HookCall call, long epochSeconds, String... secrets) {
        return VERIFIER.verify(by, call, List.of(secrets), Instant.ofEpochSecond(epochSeconds));
    }

    private static Verdict genuine(String message) {
        return new Verdict.Genuine(java.util.Optional.of(message));
    }

    private static HookCall call(String body, String... headers) {
        return call(body.getBytes(UTF_8), List.of(headers));
    }

    private static HookCall call(byte[] body, List<String> headers) {
        List<HookCall.Header> split = headers.stream()
                .map(line -> line.split(": ", 2))
                .map(pair -> new HookCall.Header(pair[0], pair[1]))
                .toList();
        return new HookCall("POST", "a/b", "", split, body);
    }
}
