package dev.millrace.bench.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Counts the answers that a process received on its connections to a server, as the packets counted by the kernel and
 * shown by {@code ss}. Postgres sends an answer as one packet unless it is larger than 8 KiB. So this counts round
 * trips, and a few more for large answers, without any change to the product.
 */
final class Sockets {
    private static final Pattern ANSWERS = Pattern.compile("data_segs_in:(\\d+)");
    private static final Pattern PORTS = Pattern.compile("\\S+:(\\d+)\\s+\\S+:\\d+");

    private Sockets() {}

    /**
     * Answers on each connection of this process to this port, by the connection's own port; empty if {@code ss} is
     * missing.
     */
    static Map<String, Long> answers(long pid, int port) {
        try {
            Process ss = new ProcessBuilder(
                            "ss", "--no-header", "--oneline", "-tinp", "state", "established", "dport", "=", ":" + port)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return output.lines()
                    .filter(line -> line.contains("pid=" + pid + ","))
                    .collect(
                            Collectors.toMap(line -> number(PORTS, line), line -> Long.valueOf(number(ANSWERS, line))));
        } catch (IOException missing) {
            return Map.of();
        }
    }

    /** Number of answers between two counts; empty if they were not counted. */
    static OptionalLong between(Map<String, Long> before, Map<String, Long> after) {
        if (after.isEmpty()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(after.entrySet().stream()
                .mapToLong(socket -> socket.getValue() - before.getOrDefault(socket.getKey(), 0L))
                .sum());
    }

    private static String number(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? matcher.group(1) : "0";
    }
}
