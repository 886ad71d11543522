package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.internal.session.JobErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what a process writes that runs one job and speaks no protocol: log lines, and a result at its end. */
final class OnceReader {
    private static final Logger logger = LoggerFactory.getLogger(OnceReader.class);

    private final ScriptPool pool;
    private final WarmProcess warm;
    private final Process process;
    private final Path folder;

    /** @param folder working folder of the process */
    OnceReader(ScriptPool pool, WarmProcess warm, Process process, Path folder) {
        this.pool = requireNonNull(pool, "pool");
        this.warm = requireNonNull(warm, "warm");
        this.process = requireNonNull(process, "process");
        this.folder = requireNonNull(folder, "folder");
    }

    /** Reads to the end of the process, then tells the pool how the job ended. Runs on a thread of its own. */
    void read() {
        ScriptJob job = pool.running(warm);
        OnceResult result =
                new OnceResult(folder, job == null ? 0 : job.lease.limits().resultBytesMax());
        Thread errors = Threads.daemon(
                "millrace-process-" + process.pid() + "-stderr",
                () -> copy(process.getErrorStream(), LogChunk.Stream.STREAM_STDERR, null));
        errors.start();
        pool.ready(warm);
        copy(process.getInputStream(), LogChunk.Stream.STREAM_STDOUT, result);
        try {
            errors.join();
            int exitCode = process.waitFor();
            pool.ended(warm, process, exitCode == 0 ? succeeded(result) : failed(exitCode));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reports the result; returns why there is none, if so. */
    private @Nullable JobError succeeded(OnceResult result) {
        ScriptJob job = pool.running(warm);
        if (job == null) {
            return null;
        }
        try {
            pool.result(warm, new Frame.Result(job.lease.jobId(), ByteString.copyFromUtf8(result.json())));
            return null;
        } catch (OnceResult.Unusable e) {
            return e.error();
        } catch (IOException | ProtocolException e) {
            return JobErrors.of("ResultError", "The result could not be read: " + e + ".", true);
        }
    }

    private JobError failed(int exitCode) {
        return ProcessEnd.error(exitCode, true, warm.stderr.text());
    }

    private void copy(InputStream from, LogChunk.Stream stream, @Nullable OnceResult result) {
        LogDecoder decoder = new LogDecoder();
        byte[] bytes = new byte[ProcessReader.STDERR_READ_BYTES];
        try (from) {
            for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
                if (result == null) {
                    warm.stderr.add(bytes, read);
                } else {
                    result.add(bytes, read);
                }
                log(stream, decoder.decode(bytes, read));
            }
        } catch (IOException e) {
            logger.debug("The output of a process broke off.", e);
        }
    }

    private void log(LogChunk.Stream stream, String text) {
        ScriptJob job = pool.running(warm);
        if (job != null && !text.isEmpty()) {
            job.lease.log(stream, text);
        }
    }
}
