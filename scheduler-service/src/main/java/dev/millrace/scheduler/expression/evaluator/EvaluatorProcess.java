package dev.millrace.scheduler.expression.evaluator;

import dev.millrace.scheduler.expression.EvaluationFailed;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One child process. It answers one request at a time and is killed if the request takes too long. After its end, it
 * cannot be used again. Used by one thread at a time; any thread may call {@link #kill}.
 */
final class EvaluatorProcess {
    /**
     * Until a new process is ready. On a busy machine, the same work takes many times as long; to begin it again would
     * make that worse.
     */
    private static final EvaluatorSettings.TimeLimit START_MAX =
            new EvaluatorSettings.TimeLimit(Duration.ofSeconds(60), Duration.ofMinutes(5));
    /** Exit code of the JVM when its heap is full; see {@code ExitOnOutOfMemoryError}. */
    private static final int EXIT_OUT_OF_MEMORY = 3;
    /** Exit code of a child whose engine cannot be interrupted. */
    static final int EXIT_STUCK = 4;

    /** Interval at which the time limits of long exchanges are checked. */
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

    private static final Duration EXIT_WAIT_MAX = Duration.ofSeconds(2);

    private final EvaluatorSettings settings;
    private final ScheduledExecutorService watch;
    private final Process process;
    private final Wire wire;
    private final AtomicBoolean isWatched = new AtomicBoolean();
    private volatile @Nullable Alarm alarm;
    private volatile @Nullable String killed;

    private EvaluatorProcess(EvaluatorSettings settings, ScheduledExecutorService watch, Process process) {
        this.settings = settings;
        this.watch = watch;
        this.process = process;
        this.wire = new Wire(process.getInputStream(), process.getOutputStream());
    }

    /** Starts a process, which is warm when {@link #awaitReady} returns. */
    static EvaluatorProcess start(EvaluatorSettings settings, ScheduledExecutorService watch) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(settings.command());
        // The child needs no environment variables of this process, and those for the JVM would change its flags.
        builder.environment().clear();
        builder.directory(Path.of("/").toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return new EvaluatorProcess(settings, watch, builder.start());
    }

    /** Waits until the process is ready for its first request. */
    void awaitReady() throws EvaluatorDied {
        Wire.Frame frame = guarded(START_MAX, wire::receive);
        if (frame.kind() != Wire.Kind.READY) {
            throw new EvaluatorDied("it began with a frame of kind " + frame.kind());
        }
    }

    /** Evaluates a request and answers its questions with {@code values}. */
    Answer evaluate(Request request, Engine.Lookup values) throws EvaluatorDied {
        return guarded(settings.timeLimit(request.language()), () -> {
            wire.send(Wire.Kind.REQUEST, request.language().code(), request.parts());
            while (true) {
                Wire.Frame frame = wire.receive();
                switch (frame.kind()) {
                    case VALUE -> {
                        return new Answer.Value(frame.text(0));
                    }
                    case FAILED -> {
                        return new Answer.Failed(frame.text(0), frame.text(1));
                    }
                    case INVALID -> {
                        return new Answer.Invalid(frame.text(0), frame.text(1));
                    }
                    case QUESTION -> answerQuestion(frame, values);
                    case READY, REQUEST, FOUND -> throw new IOException("an answer of kind " + frame.kind());
                }
            }
        });
    }

    private void answerQuestion(Wire.Frame question, Engine.Lookup values) throws IOException {
        try {
            @Nullable String found = values.find(question.number(), question.text(0));
            wire.send(Wire.Kind.FOUND, 0, found == null ? List.of() : List.of(found));
        } catch (EvaluationFailed failed) {
            wire.send(Wire.Kind.FAILED, 0, List.of(failed.name(), failed.sentence()));
        }
    }

    private interface Exchange<T> {
        T run() throws IOException;
    }

    private <T> T guarded(EvaluatorSettings.TimeLimit limit, Exchange<T> exchange) throws EvaluatorDied {
        alarm = new Alarm(limit);
        if (!isWatched.getAndSet(true)) {
            lookLater();
        }
        try {
            return exchange.run();
        } catch (IOException | IllegalStateException broken) {
            throw died(broken);
        } catch (RuntimeException | Error failure) {
            // The exchange ended in the middle, so the state of the process is unknown.
            kill("its request was given up");
            throw failure;
        } finally {
            alarm = null;
        }
    }

    /**
     * Schedules the next check. One check a second while exchanges are running costs less than one check for each
     * exchange, most of which are short.
     */
    private void lookLater() {
        var _ = watch.schedule(this::look, LOOK_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look() {
        Alarm present = alarm;
        if (present != null) {
            present.look();
            lookLater();
            return;
        }
        isWatched.set(false);
        if (alarm != null && !isWatched.getAndSet(true)) {
            lookLater();
        }
    }

    /**
     * Limits of one exchange; kills the process if it exceeds them. Processor time counts from the first check on,
     * which only long exchanges reach.
     */
    private final class Alarm {
        private final EvaluatorSettings.TimeLimit limit;
        private final long start = System.nanoTime();
        private @Nullable Duration workBefore;

        Alarm(EvaluatorSettings.TimeLimit limit) {
            this.limit = limit;
        }

        void look() {
            Duration work = process.info().totalCpuDuration().orElse(Duration.ZERO);
            if (workBefore == null) {
                workBefore = work;
            }
            if (work.minus(workBefore).compareTo(limit.work()) > 0) {
                kill("it worked for longer than " + limit.work().toSeconds() + " s");
            } else if (System.nanoTime() - start > limit.elapsed().toNanos()) {
                kill("it took longer than " + limit.elapsed().toSeconds() + " s");
            }
        }
    }

    private EvaluatorDied died(Exception broken) {
        @Nullable String reason = killed;
        if (reason == null) {
            reason = switch (broken instanceof EOFException ? exitCode() : -1) {
                case EXIT_OUT_OF_MEMORY -> "it used more than " + settings.heapMib() + " MiB of memory";
                case EXIT_STUCK -> "it took too long, and could not be interrupted";
                default -> "its process ended (" + broken + ")";
            };
        }
        kill("its frames were broken");
        return new EvaluatorDied(reason);
    }

    private int exitCode() {
        try {
            return process.waitFor(EXIT_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** Ends the process immediately. If called several times, the first reason counts. */
    void kill(String reason) {
        if (killed == null) {
            killed = reason;
        }
        process.destroyForcibly();
    }

    boolean isAlive() {
        return killed == null && process.isAlive();
    }

    long pid() {
        return process.pid();
    }
}
