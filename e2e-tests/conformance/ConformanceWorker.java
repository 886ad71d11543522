import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.Worker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** The handlers of the conformance suite in Java. */
public final class ConformanceWorker {
    private ConformanceWorker() {}

    /** @param arguments address of the scheduler */
    public static void main(String[] arguments) throws InterruptedException {
        Worker worker = Worker.connect(arguments[0])
                .name("under-test")
                .slots(4)
                .prefetch(0)
                .stopTimeout(Duration.ofSeconds(30))
                .handle("echo", context -> text(context))
                .handle(
                        "describe",
                        context -> Map.of(
                                "attempt", context.attempt(),
                                "run", context.runId(),
                                "step", context.step(),
                                "workspace", context.workspace(),
                                "key", context.idempotencyKey()))
                .handle("fail", context -> {
                    throw new IllegalStateException(context.input().path("message").asText());
                })
                .handle("reject", context -> {
                    throw new JobException("Rejected", context.input().path("message").asText(), false);
                })
                .handle("log", ConformanceWorker::log)
                .handle("large", context -> "x".repeat(context.input().path("size").asInt()))
                .handle("gated", context -> {
                    context.log("begun");
                    return context.getData("gate").orElseThrow();
                })
                .handle("share", context -> {
                    context.setData("shared", text(context));
                    return context.getData("shared").orElseThrow();
                })
                .handle("spill", context -> {
                    byte[] secret = text(context).getBytes(StandardCharsets.UTF_8);
                    context.log("the secret is " + text(context) + " in "
                            + Base64.getEncoder().encodeToString(secret));
                    return Map.of("length", secret.length, "text", "a" + text(context) + " b");
                })
                .handle("note", ConformanceWorker::note)
                .handle("hang", ConformanceWorker::hang)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        new CountDownLatch(1).await();
    }

    private static String text(JobContext context) {
        return context.input().path("text").asText();
    }

    private static int log(JobContext context) {
        int lines = context.input().path("lines").asInt();
        for (int number = 1; number <= lines; number++) {
            context.log("line " + number);
        }
        return lines;
    }

    private static List<String> note(JobContext context) throws IOException {
        if (context.sharedFolder().isEmpty()) {
            return List.of();
        }
        Path folder = context.sharedFolder().get();
        Files.createFile(folder.resolve(context.jobId()));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static Object hang(JobContext context) throws InterruptedException {
        context.log("hanging");
        try {
            new CountDownLatch(1).await();
            return "never";
        } catch (InterruptedException stopped) {
            context.setData("stopped", context.jobId());
            throw stopped;
        }
    }
}
