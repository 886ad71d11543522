import dev.millrace.worker.Blob;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.Worker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;

/** A worker with a handler that reads a blob and saves another one. */
public final class BlobWorker {
    private BlobWorker() {}

    private record Input(Blob blob) {}

    /** @param arguments address of the scheduler */
    public static void main(String[] arguments) throws InterruptedException {
        Worker worker = Worker.connect(arguments[0])
                .name("blobs")
                .handle("blobs.java", BlobWorker::andMore)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        Thread.currentThread().join();
    }

    private static Blob andMore(JobContext context) throws IOException, InterruptedException {
        try (InputStream bytes = context.openBlob(context.inputAs(Input.class).blob())) {
            InputStream more = new ByteArrayInputStream(" java".getBytes(StandardCharsets.UTF_8));
            return context.saveBlob(new SequenceInputStream(bytes, more), "text/x-java");
        }
    }
}
