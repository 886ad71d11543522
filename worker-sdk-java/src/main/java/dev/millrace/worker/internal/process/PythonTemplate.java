package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a template of the Python processes alive: an interpreter that has the common modules loaded and forks a process
 * for each script. It only makes starts faster. Without one, and whenever it does not answer, processes start as
 * programs of their own.
 *
 * <p>Thread-safe. A template that ends or does not answer is replaced. The processes that it has forked stay.
 */
final class PythonTemplate implements AutoCloseable {
    /** If templates in a row end sooner than this, they cannot work on this system, and the last is not replaced. */
    private static final long LIFE_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int SHORT_LIVES_MAX = 3;

    private static final Logger logger = LoggerFactory.getLogger(PythonTemplate.class);

    private final ExecutorService starter;
    private @Nullable Callable<ProcessBuilder> command;
    private @Nullable TemplateDoor door;
    private volatile @Nullable TemplateProcess current;
    private int shortLives;
    private boolean closed;

    /** @param starter has one thread, which starts processes and lives as long as the worker */
    PythonTemplate(ExecutorService starter) {
        this.starter = requireNonNull(starter, "starter");
    }

    /**
     * What a process is to be like.
     *
     * @param mark value of the limit that marks it; {@link #UNMARKED} if the environment alone does
     * @param members the files of its control groups with their members
     */
    record Wish(
            Path script,
            Path folder,
            Map<String, String> environment,
            String mark,
            ResourceLimits limits,
            List<Path> members) {
        static final String UNMARKED = "0";

        Wish {
            requireNonNull(script, "script");
            requireNonNull(folder, "folder");
            environment = Map.copyOf(environment);
            requireNonNull(mark, "mark");
            requireNonNull(limits, "limits");
            members = List.copyOf(members);
        }

        /** Returns what tells a fork about it: the length of the rest as hexadecimal digits, and its words. */
        byte[] message() {
            // The mark comes first: what has no room is not shown to other processes.
            String variables = environment.entrySet().stream()
                    .sorted((a, b) -> Boolean.compare(isMark(b), isMark(a)))
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining("\0"));
            String words = String.join(
                    " ",
                    mark,
                    Long.toString(limits.dataBytes()),
                    Integer.toString(limits.files()),
                    encoded(script.toString()),
                    encoded(folder.toString()),
                    encoded(variables),
                    encoded(members.stream().map(Path::toString).collect(Collectors.joining("\0"))));
            return (HexFormat.of().toHexDigits(words.length()) + words).getBytes(StandardCharsets.US_ASCII);
        }

        private static boolean isMark(Map.Entry<String, String> variable) {
            return variable.getKey().equals(ProcessEnvironment.PROCESS_ID_VARIABLE);
        }

        private static String encoded(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Starts the template; its command gets the socket's path as its last argument. */
    synchronized void start(Callable<ProcessBuilder> program) {
        if (closed) {
            return;
        }
        command = program;
        try {
            door = TemplateDoor.open();
            launch();
        } catch (IOException | UnsupportedOperationException e) {
            logger.atInfo().setCause(e).log("Python processes start without a template, more slowly.");
        }
    }

    private synchronized void launch() {
        TemplateDoor open = door;
        Callable<ProcessBuilder> program = command;
        if (closed || open == null || program == null) {
            return;
        }
        long startNanos = System.nanoTime();
        try {
            ProcessBuilder builder = program.call();
            builder.command().addAll(List.of(open.address().toString(), TemplateProcess.PADDING));
            Process process = starter.submit(builder::start).get();
            current = new TemplateProcess(process, open, () -> ended(System.nanoTime() - startNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RejectedExecutionException e) {
            logger.debug("The worker is stopping.", e);
        } catch (ExecutionException e) {
            logger.atInfo().setCause(e.getCause()).log("Python processes start without a template, more slowly.");
        } catch (Exception e) {
            logger.atInfo().setCause(e).log("Python processes start without a template, more slowly.");
        }
    }

    private void ended(long livedNanos) {
        current = null;
        if (mayBeReplaced(livedNanos)) {
            launch();
        }
    }

    private synchronized boolean mayBeReplaced(long livedNanos) {
        shortLives = livedNanos < LIFE_MIN_NANOS ? shortLives + 1 : 0;
        if (shortLives == SHORT_LIVES_MAX && !closed) {
            logger.info(
                    "This system cannot fork Python processes; each starts an interpreter of its own, more slowly.");
        }
        return shortLives < SHORT_LIVES_MAX;
    }

    /** Starts a process as a fork; empty if there is no template that has one. Blocks for some milliseconds at most. */
    Optional<Process> start(Wish wish) throws InterruptedException {
        TemplateProcess template = current;
        return template == null ? Optional.empty() : template.start(wish);
    }

    @Override
    public synchronized void close() {
        closed = true;
        TemplateProcess template = current;
        if (template != null) {
            template.close();
        }
        if (door != null) {
            door.close();
        }
    }
}
