package dev.millrace.scheduler.expression.evaluator;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Settings of the child processes.
 *
 * @param processes number of processes, and thus of concurrent evaluations
 * @param heapMib heap size of each process, in MiB
 */
public record EvaluatorSettings(int processes, int heapMib) {
    /** Bounds for the number of processes. */
    public static final int PROCESSES_MIN = 1;

    public static final int PROCESSES_MAX = 64;
    /** Bounds for the heap size of a process, in MiB. */
    public static final int HEAP_MIB_MIN = 64;

    public static final int HEAP_MIB_MAX = 4_096;

    public static final EvaluatorSettings DEFAULT = new EvaluatorSettings(2, 128);

    /**
     * Limit for one evaluation. Engines stop a long evaluation much earlier and report the reason. This limit catches
     * what they cannot stop, such as work with an almost full heap. The elapsed time allows for a busy machine that
     * leaves the process without a processor for seconds.
     */
    private static final TimeLimit EVALUATION_MAX = new TimeLimit(Duration.ofSeconds(4), Duration.ofSeconds(30));
    /** Limit for parsing one script, for which only a deployment waits. */
    private static final TimeLimit PARSE_MAX = new TimeLimit(Duration.ofSeconds(8), Duration.ofSeconds(60));

    /**
     * Limit of time.
     *
     * @param work processor time of the process
     * @param elapsed wall-clock time
     */
    record TimeLimit(Duration work, Duration elapsed) {}

    /** File made by the launcher's {@code record-services.sh}. */
    private static final String AOT_CACHE = "evaluator.aot";

    private static final String MAIN = "dev.millrace.scheduler.expression.engine.EngineMain";

    public EvaluatorSettings {
        if (processes < PROCESSES_MIN || processes > PROCESSES_MAX) {
            throw new IllegalArgumentException(
                    "processes: " + processes + " (expected: " + PROCESSES_MIN + " to " + PROCESSES_MAX + ")");
        }
        if (heapMib < HEAP_MIB_MIN || heapMib > HEAP_MIB_MAX) {
            throw new IllegalArgumentException(
                    "heapMib: " + heapMib + " (expected: " + HEAP_MIB_MIN + " to " + HEAP_MIB_MAX + ")");
        }
    }

    TimeLimit timeLimit(Language language) {
        return language == Language.JAVASCRIPT_SYNTAX ? PARSE_MAX : EVALUATION_MAX;
    }

    /** Command line with the Java and the class path of this process. */
    List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx" + heapMib + "m",
                "-Xms16m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisplayVMOutputToStderr",
                "-XX:-UsePerfData",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        aotCache().ifPresent(cache -> command.add("-XX:AOTCache=" + cache));
        command.addAll(List.of("-cp", absolute(System.getProperty("java.class.path")), MAIN));
        return command;
    }

    /** The AOT cache recorded for evaluators, in the folder of the cache with which this JVM was started. */
    private static Optional<Path> aotCache() {
        String ours = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("AOTCache")
                .getValue();
        return Optional.ofNullable(ours)
                .filter(path -> !path.isEmpty())
                .map(path -> Path.of(path).toAbsolutePath().resolveSibling(AOT_CACHE))
                .filter(Files::isReadable);
    }

    /** Makes the class path absolute, because the child runs in another folder. */
    private static String absolute(String classPath) {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(classPath)
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
