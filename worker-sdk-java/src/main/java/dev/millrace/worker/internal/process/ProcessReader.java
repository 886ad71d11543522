package dev.millrace.worker.internal.process;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.worker.internal.jobapi.JobApiAnswer;
import dev.millrace.worker.internal.jobapi.JobApiCalls;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of one process's output. The thread of the frames channel passes results on and puts the next job into the
 * pipe. A second thread reads stderr, which carries only what no frame can.
 */
final class ProcessReader {
    static final int PROTOCOL_VERSION = 2;
    static final int STDERR_READ_BYTES = 8 << 10;

    private static final Logger logger = LoggerFactory.getLogger(ProcessReader.class);

    private final ScriptPool pool;
    private final WarmProcess warm;
    private final Process process;
    private final IntSupplier frameBytesMax;
    private final boolean stderrIsLog;
    private final RawOutput rawOutput = new RawOutput();
    private final ProgressLines progressLines = new ProgressLines(System::nanoTime);

    ProcessReader(
            ScriptPool pool, WarmProcess warm, Process process, ScriptRuntime runtime, IntSupplier frameBytesMax) {
        this.pool = pool;
        this.warm = warm;
        this.process = process;
        this.frameBytesMax = frameBytesMax;
        this.stderrIsLog = runtime.printsRaw();
    }

    /** Reads frames until the channel ends, then notifies the pool; runs on its own thread. */
    void readFrames() {
        JobError failure = null;
        try {
            FrameReader frames = new FrameReader(process.getInputStream(), frameBytesMax);
            for (Frame frame = frames.next(); frame != null; frame = frames.next()) {
                handle(frame);
            }
            pool.readToEnd(warm);
        } catch (ProtocolException e) {
            failure = e.isResultTooLarge()
                    ? JobErrors.of(
                            "ResultTooLarge",
                            "The result is larger than any result may be: the process sent " + e.getMessage(),
                            false)
                    : JobErrors.of("ProtocolError", "The process sent " + e.getMessage(), true);
        } catch (IOException e) {
            logger.debug("The frames channel of a process broke off.", e);
        } catch (RuntimeException e) {
            logger.error("A frame could not be handled; its process is replaced.", e);
            failure = JobErrors.of(
                    "ProtocolError", "The worker could not handle what the process sent: " + e + ".", true);
        }
        pool.ended(warm, process, failure);
    }

    private void handle(Frame frame) throws ProtocolException {
        // Exhaustive in content; pattern switches need a newer Java than this library requires.
        if (frame instanceof Frame.Result result) {
            pool.result(warm, result);
        } else if (frame instanceof Frame.Log log) {
            log(log);
        } else if (frame instanceof Frame.Failed failed) {
            pool.failed(warm, failed);
        } else if (frame instanceof Frame.Ready ready) {
            if (ready.protocol() != PROTOCOL_VERSION) {
                throw new ProtocolException("a ready frame of protocol version " + ready.protocol()
                        + ", but this worker speaks " + PROTOCOL_VERSION + ".");
            }
            pool.ready(warm);
        } else if (frame instanceof Frame.LoadError loadError) {
            pool.failedToLoad(
                    warm, loadError.error().toBuilder().setName("LoadError").build());
        } else if (frame instanceof Frame.Progress progress) {
            LeasedJob job = pool.running(warm, progress.jobId());
            progressLines.next(progress).ifPresent(line -> job.log(LogChunk.Stream.STREAM_TRACE, line));
        } else if (frame instanceof Frame.Traced traced) {
            pool.running(warm, traced.jobId()).addSpan(traced.span());
        } else if (frame instanceof Frame.Call call) {
            answer(call);
        }
    }

    private void answer(Frame.Call call) throws ProtocolException {
        LeasedJob job = pool.call(warm, call.jobId());
        CompletableFuture<JobApiAnswer> answered = switch (call.method()) {
            case "programs.stop" ->
                pool.stopPrograms(
                                warm,
                                process,
                                Instant.ofEpochMilli(
                                        call.arguments().path("since_ms").asLong()))
                        .thenApply(number -> new JobApiAnswer.Value(Integer.toString(number)));
            case "output.flush" ->
                rawOutput
                        .await(call.arguments().path("mark").asText())
                        .thenApply(done -> new JobApiAnswer.Value("null"));
            default -> JobApiCalls.perform(pool.jobApi(), job, pool.folder(warm), call.method(), call.arguments());
        };
        var unused = answered.thenAccept(answer -> pool.answer(warm, JobLine.answer(call, answer)));
    }

    /**
     * Passes on a log frame. One without a job belongs to the job that waits for the script to load; after loading, its
     * job is gone and the frame is dropped.
     */
    private void log(Frame.Log frame) throws ProtocolException {
        if (!frame.jobId().isEmpty()) {
            pool.running(warm, frame.jobId()).log(frame.stream(), frame.text());
        } else if (!warm.wasLoaded()) {
            log(frame.stream(), frame.text());
        }
    }

    private void log(LogChunk.Stream stream, String text) {
        ScriptJob job = pool.running(warm);
        if (job != null) {
            job.lease.log(stream, text);
        }
    }

    /** Reads stderr to its end; runs on its own thread. */
    void readStderr() {
        LogDecoder decoder = new LogDecoder();
        byte[] bytes = new byte[STDERR_READ_BYTES];
        try (InputStream stream = process.getErrorStream()) {
            for (int read = stream.read(bytes); read >= 0; read = stream.read(bytes)) {
                warm.stderr.add(bytes, read);
                if (stderrIsLog) {
                    rawOutput.add(decoder.decode(bytes, read), text -> log(LogChunk.Stream.STREAM_STDERR, text));
                }
            }
        } catch (IOException e) {
            logger.debug("The stderr of a process broke off.", e);
        } finally {
            rawOutput.end(text -> log(LogChunk.Stream.STREAM_STDERR, text));
        }
    }
}
