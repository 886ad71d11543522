package dev.millrace.scheduler.submission;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.proto.run.v1.RunSpec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Tells a repeated submission from a different one: SHA-256 over the specs without their trace context. */
final class Fingerprint {
    private Fingerprint() {}

    static String of(List<RunSpec> specs) {
        MessageDigest digest = sha256();
        for (RunSpec spec : specs) {
            byte[] bytes = spec.toBuilder()
                    .clearTraceparent()
                    .clearTracestate()
                    .build()
                    .toByteArray();
            digest.update((bytes.length + ":").getBytes(UTF_8));
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
