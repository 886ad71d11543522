package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;

/**
 * Services of this process in the order in which they were started; they stop in the opposite order, also when the process
 * is told to stop. Starting and stopping exclude each other, so that nothing that was half started is left behind.
 */
final class ServiceStack implements AutoCloseable {
    private final Deque<AutoCloseable> services = new ArrayDeque<>();
    private boolean isClosed;

    /** Starts a service; where that fails, its message becomes the command's. */
    synchronized <T extends AutoCloseable> T start(Callable<T> starter) {
        if (isClosed) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "The start was interrupted.");
        }
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

    /** Stops everything once this process gets SIGTERM or Ctrl-C, which is its orderly end: the exit code is 0. */
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

    /** Returns false where everything had been stopped before. */
    private synchronized boolean closeOnce() {
        if (isClosed) {
            return false;
        }
        isClosed = true;
        while (!services.isEmpty()) {
            closeOne(services.pop());
        }
        return true;
    }

    private static void closeOne(AutoCloseable service) {
        try {
            service.close();
        } catch (Exception failure) {
            // The others must be stopped all the same.
            System.err.println(service.getClass().getSimpleName() + " did not stop in good order: " + failure);
        }
    }
}
