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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running template: the worker's end of the lines that they exchange (docs/reference/process-protocol.md). One fork
 * waits for the next script, so that a start need not wait for a fork.
 *
 * <p>Thread-safe. One thread reads what the template says, and learns from the end of its stdout that it is gone.
 */
final class TemplateProcess implements AutoCloseable {
    /** Longest wait for a fork. A template that takes longer is ended. */
    static final long FORK_MILLIS_MAX = 2_000;

    /** A new spare is forked this long after a start, because a fork takes processor time that the start needs. */
    private static final long SPARE_DELAY_MILLIS = 20;

    /** Makes room in the memory where the system shows a process's arguments; each fork writes its own there. */
    static final String PADDING = "-".repeat(512);

    private static final int NONCE_BYTES = 16;
    private static final Logger logger = LoggerFactory.getLogger(TemplateProcess.class);

    private final Process process;
    private final TemplateDoor door;
    private final Runnable ended;
    private final OutputStream words;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Fork> forks = new ConcurrentHashMap<>();
    private final Map<Long, ForkedProcess> alive = new ConcurrentHashMap<>();
    private @Nullable Fork spare;
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

    /** A process that the template is asked for, or has forked, and that waits for its script. */
    private final class Fork {
        private final String nonce;
        private final CompletableFuture<SocketChannel> channel;
        private final CompletableFuture<SocketChannel> errors;
        private final CompletableFuture<Long> pid = new CompletableFuture<>();
        private final CompletableFuture<ForkedProcess> process;

        Fork(String nonce) {
            this.nonce = nonce;
            this.channel = door.await(nonce + "c");
            this.errors = door.await(nonce + "e");
            this.process = pid.thenCombine(channel, Map::entry)
                    .thenCombine(errors, (both, third) -> connect(both.getKey(), both.getValue(), third));
        }

        boolean isUsable() {
            return !process.isDone()
                    || (!process.isCompletedExceptionally() && process.join().isAlive());
        }

        ForkedProcess await() throws InterruptedException, ExecutionException, TimeoutException {
            return process.get(FORK_MILLIS_MAX, TimeUnit.MILLISECONDS);
        }

        void fail(IOException why) {
            pid.completeExceptionally(why);
        }

        /** Ends the process, also one that is still to come. */
        void discard() {
            forks.remove(nonce);
            var unused = process.thenAccept(ForkedProcess::destroyForcibly);
            fail(new IOException("The process is not wanted any more."));
            door.forget(nonce + "c", channel);
            door.forget(nonce + "e", errors);
        }
    }

    /** Starts a process as a fork, usually of one that waits already; empty if the template is not ready, or cannot. */
    Optional<Process> start(PythonTemplate.Wish wish) throws InterruptedException {
        if (!ready) {
            return Optional.empty();
        }
        Fork fork = takeSpare();
        boolean started = false;
        try {
            ForkedProcess forked = fork.await();
            forked.begin(wish.message());
            started = true;
            return Optional.of(forked);
        } catch (TimeoutException e) {
            replace();
        } catch (IOException | ExecutionException e) {
            logger.atInfo().setCause(e).log("A Python process could not be forked; it starts as a program of its own.");
        } finally {
            if (!started) {
                fork.discard();
            }
            CompletableFuture.delayedExecutor(SPARE_DELAY_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(this::keepSpare);
        }
        return Optional.empty();
    }

    private synchronized Fork takeSpare() {
        Fork taken = spare;
        spare = null;
        return taken != null && taken.isUsable() ? taken : fork();
    }

    private synchronized void keepSpare() {
        if (ready && spare == null) {
            spare = fork();
        }
    }

    private Fork fork() {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        Fork fork = new Fork(HexFormat.of().formatHex(bytes));
        forks.put(fork.nonce, fork);
        try {
            say("fork " + fork.nonce);
        } catch (IOException e) {
            fork.fail(e);
        }
        return fork;
    }

    private void replace() {
        if (!gone) {
            logger.warn("The template of the Python processes does not answer; it is replaced.");
            process.destroyForcibly();
        }
    }

    private ForkedProcess connect(long pid, SocketChannel channel, SocketChannel errors) {
        // The template keeps an ended process until it may forget it, so the number still means this one.
        ProcessHandle handle = ProcessHandle.of(pid)
                .orElseThrow(
                        () -> new IllegalStateException("The process " + pid + " is gone, and so is its template."));
        ForkedProcess forked = new ForkedProcess(handle, channel, errors, this::replace);
        alive.put(pid, forked);
        try {
            say("reap " + pid);
        } catch (IOException e) {
            logger.debug("The template has ended meanwhile.", e);
        }
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
        dropSpare();
        forks.values().forEach(fork -> fork.fail(new IOException("The template has ended.")));
        orphan();
        ended.run();
    }

    private void hear(String[] said) {
        switch (said[0]) {
            case "ready" -> {
                ready = true;
                keepSpare();
            }
            case "forked" -> {
                Fork fork = forks.remove(said[1]);
                if (fork != null) {
                    fork.pid.complete(Long.valueOf(said[2]));
                }
            }
            case "failed" -> {
                Fork fork = forks.remove(said[1]);
                if (fork != null) {
                    fork.fail(new IOException(new String(Base64.getDecoder().decode(said[2]), StandardCharsets.UTF_8)));
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

    private synchronized void dropSpare() {
        if (spare != null) {
            spare.discard();
            spare = null;
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
        ready = false;
        dropSpare();
        process.destroyForcibly();
    }
}
