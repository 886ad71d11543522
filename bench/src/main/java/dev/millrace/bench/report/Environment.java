package dev.millrace.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Place and time of a measurement. */
record Environment(String commit, String postgres, String startedAt, int processors, long memoryBytes, String jdk) {
    private static final String UNKNOWN = "unknown";

    static Environment now(String postgres) {
        var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Environment(
                describeCommit(),
                postgres,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                Runtime.getRuntime().availableProcessors(),
                machine.getTotalMemorySize(),
                Runtime.version().toString());
    }

    Map<String, Object> values() {
        var values = new LinkedHashMap<String, Object>();
        values.put("commit", commit);
        values.put("started_at", startedAt);
        values.put("processors", processors);
        values.put("memory_bytes", memoryBytes);
        values.put("java", jdk);
        values.put("postgres", postgres);
        return values;
    }

    /** The commit of the checkout, marked if files differ from it. */
    private static String describeCommit() {
        String hash = git(List.of("rev-parse", "--short=12", "HEAD"));
        return git(List.of("status", "--porcelain", "--untracked-files=no")).isEmpty() ? hash : hash + " with changes";
    }

    private static String git(List<String> arguments) {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(arguments);
        try {
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? output : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }
}
