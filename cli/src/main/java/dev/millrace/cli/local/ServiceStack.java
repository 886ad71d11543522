package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Services of this process in the order of their start. They stop in the opposite order, also when the process gets a
 * signal. Starting and stopping exclude each other, so that no half-started service stays behind.
 */
final class ServiceStack implements AutoCloseable {
    private final Deque<AutoCloseable> services = new ArrayDeque<>();
    private final List<Beside<?>> beside = new ArrayList<>();
    private boolean isClosed;

    /** Starts a service. If that fails, its message becomes the command's. */
    synchronized <T extends AutoCloseable> T start(Callable<T> starter) {
        refuseClosed();
        try {
            T service = starter.call();
            services.push(service);
            return service;
        } catch (CommandFailure failure) {
            throw failure;
        } catch (Exception failure) {
            throw StartFailures.of(failure);
        }
    }

    /** Starts a service if there is one to start. If that fails, its message becomes the command's. */
    synchronized <T extends AutoCloseable> Optional<T> startIfAny(Callable<Optional<T>> starter) {
        refuseClosed();
        try {
            Optional<T> service = starter.call();
            service.ifPresent(services::push);
            return service;
        } catch (Exception failure) {
            throw StartFailures.of(failure);
        }
    }

    /**
     * Begins to start a service that is independent of all others that start meanwhile. {@link #await} gives it its
     * place in the order.
     */
    synchronized <T extends AutoCloseable> Beside<T> startBeside(Callable<T> starter) {
        refuseClosed();
        Beside<T> service = new Beside<>(starter);
        beside.add(service);
        Thread.ofPlatform().daemon().name("start-service").start(service.start);
        return service;
    }

    /**
     * Waits for a service that {@link #startBeside} began to start. If its start fails, its message becomes the
     * command's.
     */
    synchronized <T extends AutoCloseable> T await(Beside<T> service) {
        return start(() -> {
            service.hasPlace = true;
            return service.started();
        });
    }

    /** Stops all services when this process gets SIGTERM or Ctrl-C. That is its orderly end: the exit code is 0. */
    void closeOnSignal() {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            if (closeOnce()) {
                                Runtime.getRuntime().halt(ExitCode.OK.number());
                            }
                        },
                        "stop-services"));
    }

    @Override
    public void close() {
        closeOnce();
    }

    /** Returns false if the services had been stopped before. */
    private synchronized boolean closeOnce() {
        if (isClosed) {
            return false;
        }
        isClosed = true;
        beside.stream().filter(service -> !service.hasPlace).forEach(ServiceStack::closeStarted);
        while (!services.isEmpty()) {
            closeOne(services.pop());
        }
        return true;
    }

    private void refuseClosed() {
        if (isClosed) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "The start was interrupted.");
        }
    }

    /** Ignores a failed start: another failure is the reason to stop and is reported. */
    private static void closeStarted(Beside<?> service) {
        AutoCloseable started;
        try {
            started = service.started();
        } catch (Exception notStarted) {
            return;
        }
        closeOne(started);
    }

    private static void closeOne(AutoCloseable service) {
        try {
            service.close();
        } catch (Exception failure) {
            // The other services must be stopped all the same.
            System.err.println(service.getClass().getSimpleName() + " did not stop cleanly: " + failure);
        }
    }

    /** A service that starts, or has started, on its own thread. */
    static final class Beside<T extends AutoCloseable> {
        private final FutureTask<T> start;
        /**
         * Whether the service has its place in the order, or its failed start has been reported; guarded by the stack.
         */
        private boolean hasPlace;

        private Beside(Callable<T> starter) {
            this.start = new FutureTask<>(starter);
        }

        private T started() throws Exception {
            try {
                return start.get();
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof Exception failure ? failure : failed;
            }
        }
    }
}
