package dev.millrace.hangwatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Ends the JVM of tests, with the stacks of all threads, if no test begins or ends for a long time. JUnit's own timeout
 * interrupts a test, which code such as {@code CompletableFuture.join} does not heed. It also leaves out extensions,
 * static initializers and the end of the JVM.
 *
 * <p>JUnit finds this listener by itself. The system property {@value #SILENCE} sets the longest time, in seconds.
 */
public final class HangWatch implements TestExecutionListener {
    static final String SILENCE = "millrace.test.silence-seconds";
    /** Exit code of a JVM that was ended, that of the command {@code timeout}. */
    static final int HANGS = 124;

    /** Longer than JUnit's timeout in the parent's {@code pom.xml}, whose report is better if it works. */
    private static final Duration SILENCE_MAX = Duration.ofMinutes(10);

    private static final Duration INTERVAL_MAX = Duration.ofSeconds(5);

    /** Surefire may make several test plans in one JVM, each with a listener of its own. */
    private static final Progress PROGRESS =
            new Progress(Duration.ofSeconds(Long.getLong(SILENCE, SILENCE_MAX.toSeconds())));

    private static final AtomicBoolean WATCHED = new AtomicBoolean();

    private static void watch() {
        long intervalNanos =
                Math.min(INTERVAL_MAX.toNanos(), PROGRESS.silenceMax().toNanos() / 4);
        while (!PROGRESS.isMissing(System.nanoTime())) {
            LockSupport.parkNanos(intervalNanos);
        }
        try {
            ThreadStacks.print("No test has begun or ended for "
                    + PROGRESS.silence(System.nanoTime()).toSeconds() + " s. These were running: " + PROGRESS.running()
                    + ". This JVM ends. If a test takes so long, give it a @Timeout.");
        } finally {
            Runtime.getRuntime().halt(HANGS);
        }
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        PROGRESS.made(System.nanoTime());
        // Not earlier: Surefire also makes plans in Maven's own JVM, to find the tests, and that JVM must not be ended.
        if (WATCHED.compareAndSet(false, true)) {
            Thread.ofPlatform().name("hang-watch").daemon().start(HangWatch::watch);
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        PROGRESS.begun(test, System.nanoTime());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        PROGRESS.ended(test, System.nanoTime());
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        PROGRESS.made(System.nanoTime());
    }
}
