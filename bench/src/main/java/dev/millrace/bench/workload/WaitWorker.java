package dev.millrace.bench.workload;

import dev.millrace.worker.Tls;
import dev.millrace.worker.Worker;
import dev.millrace.worker.WorkerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A worker with a handler that waits until it is canceled, and tells a port when it begins and when it is asked to stop. */
public final class WaitWorker {
    static final String HANDLER = "bench.wait";

    private static final int WAIT_SECONDS = 60;

    private WaitWorker() {}

    public static void main(String[] arguments) throws InterruptedException {
        WorkerBuilder builder = Worker.connect(arguments[0]);
        if (!arguments[1].isEmpty()) {
            builder.tls(Tls.trusting(Path.of(arguments[1])));
        }
        if (!arguments[2].isEmpty()) {
            builder.tokenFile(Path.of(arguments[2]));
        }
        Worker worker = builder.name("bench-wait")
                .handle(HANDLER, context -> {
                    waitFor(context.input().path("port").asInt());
                    return null;
                })
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        Thread.currentThread().join();
    }

    private static void waitFor(int port) throws IOException, InterruptedException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write(Cancel.BEGUN);
            try {
                var _ = new CountDownLatch(1).await(WAIT_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException asked) {
                socket.getOutputStream().write(Cancel.ASKED);
                throw asked;
            }
        }
    }
}
