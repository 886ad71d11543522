package dev.millrace.hangwatch;

import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;

/** When tests last began or ended, and how long they may be silent. Thread-safe. */
final class Progress {
    /** A test that is about to fail because of its own timeout gets this long to say so. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final Duration silenceMax;
    private final Map<UniqueId, Running> running = new ConcurrentHashMap<>();
    private volatile long lastNanos = System.nanoTime();

    private record Running(String name, Duration timeout) {}

    Progress(Duration silenceMax) {
        this.silenceMax = silenceMax;
    }

    Duration silenceMax() {
        return silenceMax;
    }

    void made(long nowNanos) {
        lastNanos = nowNanos;
    }

    void begun(TestIdentifier test, long nowNanos) {
        running.put(test.getUniqueIdObject(), new Running(name(test), timeout(test)));
        made(nowNanos);
    }

    void ended(TestIdentifier test, long nowNanos) {
        running.remove(test.getUniqueIdObject());
        made(nowNanos);
    }

    Duration silence(long nowNanos) {
        return Duration.ofNanos(nowNanos - lastNanos);
    }

    /** Whether nothing has happened for longer than any running test may take. */
    boolean isMissing(long nowNanos) {
        Duration longest = running.values().stream()
                .map(Running::timeout)
                .filter(timeout -> !timeout.isZero())
                .map(timeout -> timeout.plus(GRACE))
                .reduce(silenceMax, (a, b) -> a.compareTo(b) > 0 ? a : b);
        return silence(nowNanos).compareTo(longest) > 0;
    }

    /** Names of the tests and classes that run. */
    String running() {
        return running.values().stream().map(Running::name).sorted().collect(Collectors.joining(", "));
    }

    private static String name(TestIdentifier test) {
        String source = switch (test.getSource().orElse(null)) {
            case MethodSource method -> method.getClassName() + "." + method.getMethodName();
            case ClassSource type -> type.getClassName();
            case null, default -> "";
        };
        return source.isEmpty() ? test.getDisplayName() : source;
    }

    /** The timeout that a test or its class declares; zero for none. */
    private static Duration timeout(TestIdentifier test) {
        return test.getSource().stream()
                .flatMap(Progress::elements)
                .map(element -> Optional.ofNullable(element.getAnnotation(Timeout.class)))
                .flatMap(Optional::stream)
                .findFirst()
                .map(timeout -> Duration.of(timeout.value(), timeout.unit().toChronoUnit()))
                .orElse(Duration.ZERO);
    }

    private static Stream<AnnotatedElement> elements(TestSource source) {
        return switch (source) {
            case MethodSource method -> Stream.of(method.getJavaMethod(), method.getJavaClass());
            case ClassSource type -> Stream.of(type.getJavaClass());
            default -> Stream.of();
        };
    }
}
