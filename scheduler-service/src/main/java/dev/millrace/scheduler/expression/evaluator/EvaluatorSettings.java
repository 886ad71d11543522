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
 * How child processes are run.
 *
 * @param processes how many there are, and so how many evaluations go on at a time
 * @param heapMib heap of each, in MiB
 */
public record EvaluatorSettings(int processes, int heapMib) {
    /** Fewest and most processes. */
    public static final int PROCESSES_MIN = 1;

    public static final int PROCESSES_MAX = 64;
    /** Least and largest heap of a process, in MiB. */
    public static final int HEAP_MIB_MIN = 64;

    public static final int HEAP_MIB_MAX = 4_096;

    public static final EvaluatorSettings DEFAULT = new EvaluatorSettings(2, 128);

    /**
     * For one evaluation. The engines stop what takes long before, with the reason; this is for what they cannot, such as a heap that is almost
     * full. A busy machine may leave a process without a processor for seconds, which is not its fault.
     */
    private static final TimeLimit EVALUATION_MAX = new TimeLimit(Duration.ofSeconds(4), Duration.ofSeconds(30));
    /** For parsing one script: only a deployment waits for it. */
    private static final TimeLimit PARSE_MAX = new TimeLimit(Duration.ofSeconds(8), Duration.ofSeconds(60));

    /**
     * How long something may take.
     *
     * @param work processor time of the process
     * @param elapsed time on the wall
     */
    record TimeLimit(Duration work, Duration elapsed) {}

    /** Made by the launcher's {@code record-services.sh}. */
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

    /** The Java of this process, with its class path. */
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

    /** The cache of linked classes that was recorded for evaluators, which stands beside the one that this JVM was started with. */
    private static Optional<Path> aotCache() {
        String ours = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("AOTCache")
                .getValue();
        return Optional.ofNullable(ours)
                .filter(path -> !path.isEmpty())
                .map(path -> Path.of(path).toAbsolutePath().resolveSibling(AOT_CACHE))
                .filter(Files::isReadable);
    }

    /** The process runs in another folder. */
    private static String absolute(String classPath) {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(classPath)
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
