package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.runtime.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running template: the worker's end of the lines that they exchange (docs/reference/process-protocol.md).
 *
 * <p>Thread-safe. One thread reads what the template says, and learns from the end of its stdout that it is gone.
 */
final class TemplateProcess implements AutoCloseable {
    /** Longest wait for a fork. A template that takes longer is ended. */
    static final long FORK_MILLIS_MAX = 2_000;

    /** Makes room in the memory where the system shows a process's arguments; each fork writes its own there. */
    static final String PADDING = "-".repeat(512);

    private static final int NONCE_BYTES = 16;
    private static final Logger logger = LoggerFactory.getLogger(TemplateProcess.class);

    private final Process process;
    private final TemplateDoor door;
    private final Runnable ended;
    private final OutputStream words;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, CompletableFuture<Long>> wishes = new ConcurrentHashMap<>();
    private final Map<Long, ForkedProcess> alive = new ConcurrentHashMap<>();
    private volatile boolean ready;
    private volatile boolean gone;

    /** @param ended runs when the template has ended */
    TemplateProcess(Process process, TemplateDoor door, Runnable ended) {
        this.process = requireNonNull(process, "process");
        this.door = requireNonNull(door, "door");
        this.ended = requireNonNull(ended, "ended");
        this.words = process.getOutputStream();
        Threads.daemon("millrace-template", this::listen).start();
    }

    /**
     * Forks a process; empty if the template is not ready, or cannot.
     *
     * @param undo ends a process that the template may have forked without a word about it
     */
    Optional<Process> fork(PythonTemplate.Wish wish, Runnable undo) throws InterruptedException {
        if (!ready) {
            return Optional.empty();
        }
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        String nonce = HexFormat.of().formatHex(bytes);
        CompletableFuture<SocketChannel> channel = door.await(nonce + "c");
        CompletableFuture<SocketChannel> errors = door.await(nonce + "e");
        CompletableFuture<Long> pid = new CompletableFuture<>();
        wishes.put(nonce, pid);
        try {
            say("start " + nonce + " " + wish.words());
            return Optional.of(connect(await(pid), await(channel), await(errors)));
        } catch (TimeoutException e) {
            replace();
        } catch (IOException | ExecutionException e) {
            logger.atInfo().setCause(e).log("A Python process could not be forked; it starts as a program of its own.");
        } finally {
            wishes.remove(nonce);
        }
        door.forget(nonce + "c", channel);
        door.forget(nonce + "e", errors);
        undo.run();
        return Optional.empty();
    }

    private void replace() {
        if (!gone) {
            logger.warn("The template of the Python processes does not answer; it is replaced.");
            process.destroyForcibly();
        }
    }

    private static <T> T await(CompletableFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(FORK_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }

    private Process connect(long pid, SocketChannel channel, SocketChannel errors) throws IOException {
        // The template keeps an ended process until it may forget it, so the number still means this one.
        ProcessHandle handle = ProcessHandle.of(pid)
                .orElseThrow(() -> new IOException("The process " + pid + " is gone, and so is its template."));
        ForkedProcess forked = new ForkedProcess(handle, channel, errors, this::replace);
        alive.put(pid, forked);
        say("reap " + pid);
        if (gone) {
            orphan();
        }
        return forked;
    }

    private synchronized void say(String line) throws IOException {
        words.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        words.flush();
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line.split(" ", -1));
            }
        } catch (IOException e) {
            logger.debug("The template of the Python processes was ended.", e);
        } catch (RuntimeException e) {
            logger.atWarn().setCause(e).log("The template of the Python processes cannot be understood; it is ended.");
        }
        ready = false;
        gone = true;
        process.destroyForcibly();
        wishes.values().forEach(wish -> wish.completeExceptionally(new IOException("The template has ended.")));
        orphan();
        ended.run();
    }

    private void hear(String[] said) {
        switch (said[0]) {
            case "ready" -> ready = true;
            case "started" -> {
                CompletableFuture<Long> wish = wishes.get(said[1]);
                if (wish != null) {
                    wish.complete(Long.valueOf(said[2]));
                }
            }
            case "failed" -> {
                CompletableFuture<Long> wish = wishes.get(said[1]);
                if (wish != null) {
                    wish.completeExceptionally(new IOException(
                            new String(Base64.getDecoder().decode(said[2]), StandardCharsets.UTF_8)));
                }
            }
            case "exited" -> {
                ForkedProcess forked = alive.remove(Long.valueOf(said[1]));
                if (forked != null) {
                    forked.exited(Integer.parseInt(said[2]));
                }
            }
            default -> throw new IllegalStateException("unknown word " + said[0]);
        }
    }

    /** Lets the processes go on without their parent. */
    private void orphan() {
        for (Long pid : List.copyOf(alive.keySet())) {
            ForkedProcess forked = alive.remove(pid);
            if (forked != null) {
                forked.orphaned();
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
