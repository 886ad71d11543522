package dev.millrace.scheduler.flow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * Content address of a flow: SHA-256 in lower-case hex over several parts, each followed by a zero byte.
 *
 * <p>The parts are the dialect, the definition, and the path and hash of each script, ordered by path. If the flow has
 * sub-flows, an empty part follows, and then the path and hash of each sub-flow, ordered by path.
 */
final class FlowHash {
    private FlowHash() {}

    static String of(FlowVersion version) {
        MessageDigest digest = sha256();
        add(digest, version.dialect());
        add(digest, version.definition());
        version.scripts().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(script -> {
            add(digest, script.getKey());
            add(digest, script.getValue().hash());
        });
        if (!version.subFlows().isEmpty()) {
            add(digest, "");
        }
        version.subFlows().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(flow -> {
                    add(digest, flow.getKey());
                    add(digest, flow.getValue());
                });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void add(MessageDigest digest, String part) {
        digest.update(part.getBytes(UTF_8));
        digest.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
