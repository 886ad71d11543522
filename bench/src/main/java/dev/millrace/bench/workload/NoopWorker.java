package dev.millrace.bench.workload;

import com.sun.management.ThreadMXBean;
import dev.millrace.worker.Tls;
import dev.millrace.worker.Worker;
import dev.millrace.worker.WorkerBuilder;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A worker with a no-op handler. At the first call it prints {@code first MICROS}, the microseconds since 1970. When it
 * stops it prints {@code calls N} and {@code allocated BYTES}.
 */
public final class NoopWorker {
    static final String HANDLER = "bench.noop";

    private static final int SLOTS = 16;
    private static final int PREFETCH = 2_000;

    private NoopWorker() {}

    public static void main(String[] arguments) throws InterruptedException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        AtomicLong calls = new AtomicLong();
        Worker worker = connect(arguments[0], arguments[1], arguments[2])
                .name("bench-noop")
                .slots(SLOTS)
                .prefetch(PREFETCH)
                .handle(HANDLER, context -> {
                    if (calls.incrementAndGet() == 1) {
                        System.out.println("first " + WallClock.micros());
                    }
                    return null;
                })
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.close();
            System.out.println("calls " + calls.get());
            System.out.println("allocated " + threads.getTotalThreadAllocatedBytes());
        }));
        Thread.currentThread().join();
    }

    private static WorkerBuilder connect(String address, String authorities, String tokenFile) {
        WorkerBuilder worker = Worker.connect(address);
        if (!authorities.isEmpty()) {
            worker.tls(Tls.trusting(Path.of(authorities)));
        }
        if (!tokenFile.isEmpty()) {
            worker.tokenFile(Path.of(tokenFile));
        }
        return worker;
    }
}
